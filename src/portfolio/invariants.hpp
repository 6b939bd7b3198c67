// Unbounded proofs of concurrent programs: sequentializes the program without bounds, has the
// sequential engine look for an inductive invariant, and has `check` confirm it. A program of one
// function that calls nobody is taken as it is.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/engine.hpp"
#include "engine/sequential/options.hpp"
#include "sequentialize/options.hpp"

namespace heddle::portfolio {

struct InvariantStatistics {
  engine::sequential::Statistics engine{};
  std::uint64_t threads = 0;
  std::uint64_t edges = 0;      // of the sequential program
  std::uint64_t questions = 0;  // that a solver answered to confirm the invariant
};

// What it calls Safe has been confirmed.
class Invariants : public engine::Engine {
 public:
  Invariants(sequentialize::LazyOptions lazy, engine::sequential::Options options)
      : lazy_(lazy), options_(options) {}

  std::string_view name() const override { return "sequential"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override;
  const InvariantStatistics& statistics() const { return statistics_; }

 private:
  verdict::Verdict prove(const ir::Program& program, const verdict::Property& property,
                         const base::Budget& budget, engine::Listener& listener);

  sequentialize::LazyOptions lazy_;
  engine::sequential::Options options_;
  InvariantStatistics statistics_{};
};

}  // namespace heddle::portfolio
