// C text to sequential programs, and all executions of these, for the tests of the schemes.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "frontend/frontend.hpp"
#include "ir/c_printer.hpp"
#include "machine/machine.hpp"
#include "passes/operands.hpp"
#include "passes/pipeline.hpp"
#include "sequentialize/lazy.hpp"

namespace heddle::sequentialize {

inline ir::Program program_of(const std::string& text) {
  return passes::simplify(frontend::parse_text(
      "test.c",
      "#include <pthread.h>\n#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
      "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n" +
          text));
}

inline Sequential lazily(const ir::Program& program, const LazyOptions& options = {}) {
  return sequentialize_lazily(program, Facts(program), options);
}

inline std::string as_c(const Sequential& made) {
  return ir::to_c(made.program, {ir::CForm::sequential, {}, [&](ir::EdgeId edge) {
                                   return made.runs_once(edge);
                                 }});
}

// Without a warning.
inline bool compiles(const std::string& text) {
  FILE* gcc = popen("gcc -Wall -Wextra -Werror -fsyntax-only -x c -", "w");
  if (gcc == nullptr) return false;
  std::fwrite(text.data(), 1, text.size(), gcc);
  return pclose(gcc) == 0;
}

struct Silent : engine::Listener {
  void progress(const verdict::Progress&) override {}
};

// "safe", "unsafe" or "unknown: ...".
inline std::string ask(engine::Engine& engine, const ir::Program& program) {
  Silent silent;
  const verdict::Property property{{verdict::Check::error_call, verdict::Check::assertion}};
  const base::Budget budget(std::chrono::seconds(60), std::uint64_t{2} << 30);
  const verdict::Verdict found = engine.run(program, property, budget, silent);
  if (std::holds_alternative<verdict::Safe>(found)) return "safe";
  if (const auto* unknown = std::get_if<verdict::Unknown>(&found))
    return "unknown: " + unknown->detail;
  return "unsafe";
}

// By all states of the program.
inline std::string verdict_of(const ir::Program& program) {
  engine::explore::Explore explorer;
  return ask(explorer, program);
}

// By unrolling loops a few times.
inline std::string bounded_verdict_of(const ir::Program& program) {
  engine::bmc::Bmc bmc({.bounds = {4}, .free_iterations = 50});
  return ask(bmc, program);
}

// Every order in which the sequential program takes the steps on shared memory that stand in the
// user's functions.
class Interleavings {
 public:
  using Order = std::vector<std::pair<ThreadIndex, ir::EdgeId>>;
  Interleavings(const ir::Program& input, const Facts& facts, const Sequential& sequential)
      : input_(input),
        facts_(facts),
        sequential_(sequential),
        machine_(sequential.program, property_) {
    run(machine_.initial(), {});
  }
  const std::set<Order>& all() const { return found_; }

 private:
  void run(machine::State state, Order order) {
    while (true) {
      if (machine_.ended(state)) {
        found_.insert(std::move(order));
        return;
      }
      const auto edges = machine_.edges(state, 0);
      std::vector<std::pair<machine::State, Order>> ways;
      for (const ir::EdgeId edge : edges)
        for (const std::uint64_t input : inputs(state, edge)) {
          machine::State next = state;
          const machine::StepResult result = machine_.step(next, 0, edge, input);
          if (result.outcome != machine::Outcome::moved &&
              result.outcome != machine::Outcome::process_ended)
            continue;
          Order longer = order;
          note(edge, longer);
          ways.emplace_back(std::move(next), std::move(longer));
        }
      if (ways.empty()) return;  // no execution
      for (std::size_t i = 1; i < ways.size(); ++i)
        run(std::move(ways[i].first), std::move(ways[i].second));
      state = std::move(ways[0].first);
      order = std::move(ways[0].second);
    }
  }
  std::vector<std::uint64_t> inputs(const machine::State& state, ir::EdgeId edge) const {
    const auto wanted = machine_.input_needed(state, 0, edge);
    if (!wanted) return {0};
    std::vector<std::uint64_t> result;
    const std::uint64_t count = wanted->limit != 0 ? wanted->limit : 2;
    for (std::uint64_t i = 0; i < count; ++i) result.push_back(i);
    return result;
  }
  void note(ir::EdgeId edge, Order& order) const {
    const Origin* origin = sequential_.origin(edge);
    if (origin == nullptr) return;
    const ir::Edge& known = input_.edge(origin->edge);
    const bool user = input_.function(input_.function_of(origin->edge)).origin == ir::Origin::user;
    if (user && passes::accessed_address(known.statement) &&
        facts_.sharedness.may_be_shared(origin->edge))
      order.emplace_back(origin->thread, origin->edge);
  }

  const ir::Program& input_;
  const Facts& facts_;
  const Sequential& sequential_;
  const verdict::Property property_{};
  machine::Machine machine_;
  std::set<Order> found_{};
};

inline std::size_t interleavings_left(const ir::Program& program, const Facts& facts,
                                      Scheduler scheduler) {
  LazyOptions options;
  options.scheduler = scheduler;
  const Sequential made = sequentialize_lazily(program, facts, options);
  return Interleavings(program, facts, made).all().size();
}

}  // namespace heddle::sequentialize
