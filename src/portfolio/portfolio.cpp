#include "portfolio/portfolio.hpp"

#include <new>
#include <utility>

#include "base/check.hpp"
#include "check/replay.hpp"
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
          {answer.statistics.states, answer.statistics.steps, answer.statistics.depth}};
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
  try {
    answer.verdict = explore.run(answer.program, property, budget, listener);
  } catch (const std::bad_alloc&) {
    answer.verdict =
        verdict::Unknown{verdict::Gap::memory, "the system gave no more memory", {}, {}};
  }
  answer.statistics = explore.statistics();
  if (std::holds_alternative<verdict::Unsafe>(answer.verdict)) audit(answer, property);
  return answer;
}

}  // namespace heddle::portfolio
