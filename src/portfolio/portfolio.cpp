#include "portfolio/portfolio.hpp"

#include <new>
#include <utility>

#include "base/check.hpp"
#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "passes/insert_checks.hpp"
#include "passes/pipeline.hpp"
#include "portfolio/stuck.hpp"

namespace heddle::portfolio {
namespace {

// Replays the trace. Threads that wait for ever while others run on are no matter of one state, so
// for these everything that can still happen is looked at as well.
void audit(Answer& answer, const verdict::Property& property) {
  const auto& unsafe = std::get<verdict::Unsafe>(answer.verdict);
  check::ReplayResult replayed =
      check::replay(answer.program, property, unsafe.trace, unsafe.violation);
  const bool was_run = replayed.trace.steps.size() == unsafe.trace.steps.size();
  answer.trace = std::move(replayed.trace);
  if (replayed.confirmed) return;
  CHECK(unsafe.violation.check == verdict::Check::deadlock && was_run,
        "a trace of an engine replays, but: " + replayed.reason);
  switch (never_move_again(answer.program, property, unsafe, answer.trace)) {
    case Stuck::confirmed:
      return;
    case Stuck::refuted:
      CHECK(false, "threads that an engine calls stuck never move again");
      return;
    case Stuck::undecided:
      answer.verdict = verdict::Unknown{
          verdict::Gap::bound,
          "a thread seems to wait for ever while others run on, which is too much to confirm",
          answer.program.edge(unsafe.violation.edge).source,
          {answer.explore.states, answer.explore.steps, answer.explore.depth}};
  }
}

verdict::Verdict run(engine::Engine& engine, const ir::Program& program,
                     const verdict::Property& property, const base::Budget& budget,
                     engine::Listener& listener) {
  try {
    return engine.run(program, property, budget, listener);
  } catch (const std::bad_alloc&) {
    return verdict::Unknown{verdict::Gap::memory, "the system gave no more memory", {}, {}};
  }
}

}  // namespace

ir::Program prepare(ir::Program program, const verdict::Property& property) {
  if (property.has(verdict::Check::overflow))
    program = passes::insert_overflow_checks(std::move(program));
  return passes::simplify(std::move(program));
}

Answer solve(ir::Program program, const verdict::Property& property, const base::Budget& budget,
             const Options& options, engine::Listener& listener) {
  Answer answer;
  answer.program = prepare(std::move(program), property);
  engine::explore::Explore explore(options.explore);
  engine::bmc::Bmc bmc(options.bmc);
  const auto ask = [&](engine::Engine& engine, const base::Budget& part) {
    answer.verdict = run(engine, answer.program, property, part, listener);
    answer.engine = engine.name();
    return !std::holds_alternative<verdict::Unknown>(answer.verdict);
  };
  switch (options.engine) {
    case Choice::explore:
      ask(explore, budget);
      break;
    case Choice::bmc:
      ask(bmc, budget);
      break;
    case Choice::portfolio:
      // Explicit states settle small programs at once; the solver takes what is left.
      if (!ask(explore, budget.slice(budget.time_left() / 4)) && !ask(bmc, budget))
        ask(explore, budget);
      break;
  }
  answer.explore = explore.statistics();
  answer.bmc = bmc.statistics();
  if (std::holds_alternative<verdict::Unsafe>(answer.verdict)) audit(answer, property);
  return answer;
}

}  // namespace heddle::portfolio
