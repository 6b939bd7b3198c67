// The second opinion for small programs: every interleaving, every edge of every
// enabled thread, no reduction whatsoever. Engines are tested against it.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ir/program.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::machine {

enum class OracleGoal { every_check, first_violation };

struct OracleOptions {
  OracleGoal goal = OracleGoal::every_check;
  // Tried for an input that has too many possible values to try all; the answer is then incomplete.
  std::vector<std::uint64_t> candidates{0, 1, 2, ~std::uint64_t{0}};
  std::uint64_t most_states = 1'000'000;
};

struct OracleAnswer {
  // For each violated check, a shortest trace to it.
  std::map<verdict::Check, verdict::Unsafe> violated{};
  bool complete = true;  // nothing was cut: a check that is not violated here holds
  std::uint64_t states = 0;
  std::uint64_t steps = 0;

  bool safe() const { return complete && violated.empty(); }
};

OracleAnswer ask_oracle(const ir::Program& program, const verdict::Property& property,
                        const OracleOptions& options = {});

}  // namespace heddle::machine
