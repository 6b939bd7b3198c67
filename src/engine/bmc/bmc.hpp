// Bounded model checking of threads as a partial order (Alglave, Kroening, Tautschnig,
// CAV 2013; He, Sun, Fan, PLDI 2021): all threads are unrolled up to a bound, and a
// SAT solver with an ordering theory looks for values and an order of the steps that
// break the property. The bound rises until that is found or nothing is cut off.
// Answers: Unsafe with a trace; Safe if no execution reaches the bound; else Unknown.
#pragma once

#include <string_view>

#include "engine/bmc/options.hpp"
#include "engine/engine.hpp"

namespace heddle::engine::bmc {

class Bmc : public Engine {
 public:
  explicit Bmc(Options options = {}) : options_(std::move(options)) {}

  std::string_view name() const override { return "bmc"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, Listener& listener) override;
  // Of the last run.
  const Statistics& statistics() const { return statistics_; }

 private:
  verdict::Verdict unroll(const ir::Program& program, const verdict::Property& property,
                          const base::Budget& budget, Listener& listener);

  Options options_;
  Statistics statistics_{};
};

}  // namespace heddle::engine::bmc
