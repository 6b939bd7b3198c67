// The explicit-state explorer: every interleaving of every thread, concrete values,
// a set of the states already seen, and the local-step reduction.
// Answers: Unsafe with a trace; Safe when the search has seen all; else Unknown.
#pragma once

#include <optional>
#include <string_view>

#include "engine/engine.hpp"
#include "engine/explore/locality.hpp"
#include "engine/explore/lock_discipline.hpp"
#include "engine/explore/options.hpp"
#include "engine/explore/search.hpp"
#include "engine/explore/symmetry_facts.hpp"
#include "passes/future_accesses.hpp"
#include "passes/points_to.hpp"

namespace heddle::engine::explore {

class Explore : public Engine {
 public:
  explicit Explore(Options options = {}) : options_(options) {}

  std::string_view name() const override { return "explore"; }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, Listener& listener) override;
  // Of the last run.
  const Statistics& statistics() const { return statistics_; }

 private:
  struct Task {
    const ir::Program& program;
    const verdict::Property& property;
    const machine::Machine& machine;
    const base::Budget& budget;
    Listener& listener;
  };
  // What is known before the search.
  struct Facts {
    const SharingFacts& sharing;
    const Locality& locality;  // from them
    const passes::PointsTo& points_to;
    const passes::FutureAccesses* futures;  // null: nothing
    LockDiscipline* locks;                  // null: none
    const SymmetryFacts* symmetry;          // null: none
  };
  verdict::Verdict run_one(const ir::Program& program, const verdict::Property& property,
                           const base::Budget& budget, Listener& listener);
  std::optional<verdict::Verdict> search(const Task& task, const Facts& facts);
  std::optional<verdict::Verdict> solve_inputs(const Task& task, const Facts& facts);
  struct Parts {
    const Locality& locality;
    SharingAudit& audit;
    const Mover& mover;
    Inputs& inputs;
    Symmetry* symmetry;       // null: none
    DeadValues* dead_values;  // null: kept
  };
  SearchResult search_states(const Task& task, const Parts& parts, std::size_t input_cap);
  SearchResult search_stateless(const Task& task, const Parts& parts, std::size_t input_cap);

  Options options_;
  Statistics statistics_{};
};

}  // namespace heddle::engine::explore
