// Takes an inductive invariant of a sequential program on no trust at all: it has to hold when the
// program starts, every path from cut point to cut point has to keep it, and it has to exclude all
// that the machine would stop at. Bit-precise, by symbolic execution and a SAT solver; shares
// nothing with the engine that found the invariant. No Safe with an invariant is shown before that.
#pragma once

#include <cstdint>
#include <string>

#include "base/budget.hpp"
#include "ir/program.hpp"
#include "verdict/invariant.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::check {

struct InvariantResult {
  bool confirmed = false;
  verdict::Gap gap = verdict::Gap::bound;  // if not confirmed
  std::string reason{};                    // why not, if not confirmed
  std::uint64_t questions = 0;             // that the solver had to answer
};

// Of the function that the program starts with, run by one thread.
InvariantResult check_invariant(const ir::Program& program, const verdict::Property& property,
                                const verdict::InductiveInvariant& invariant,
                                const base::Budget& budget);

}  // namespace heddle::check
