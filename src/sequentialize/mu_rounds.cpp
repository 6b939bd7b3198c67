// How often loops go round while other threads run.
#include <fmt/format.h>

#include "sequentialize/mu_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

// ---- rounds of loops --------------------------------------------------------------

void MuProgram::declare_rounds(ThreadIndex thread) {
  std::map<PointIndex, RegId>& rounds = rounds_.emplace_back();
  const std::vector<CodePoint>& points = threads_[thread].points;
  for (PointIndex point = 0; options_.rounds > 0 && point < points.size(); ++point)
    if (points[point].loop_head && concurrent(thread, point) && loop_is_limited(thread, point))
      rounds.emplace(point, emitter_.scalar(fmt::format("rounds{}", thread), int_));
}

// Loops of which nobody else can tell cost little, however often they go round, and those that
// start threads end with the threads that there may be.
bool MuProgram::loop_is_limited(ThreadIndex thread, PointIndex head) const {
  const ThreadCode& code = threads_[thread];
  std::vector<std::vector<StepIndex>> into(code.points.size());
  for (StepIndex id = 0; id < code.steps.size(); ++id)
    if (code.steps[id].kind != StepKind::end && code.steps[id].kind != StepKind::cut)
      into[code.steps[id].to].push_back(id);
  const auto reach = [&](auto steps_at, auto next) {
    std::vector<char> seen(code.points.size(), 0);
    std::vector<PointIndex> work{head};
    seen[head] = 1;
    while (!work.empty()) {
      const PointIndex at = work.back();
      work.pop_back();
      for (const StepIndex id : steps_at(at)) {
        const CodeStep& step = code.steps[id];
        if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
        if (std::exchange(seen[next(step)], 1) == 0) work.push_back(next(step));
      }
    }
    return seen;
  };
  const auto after = reach([&](PointIndex at) { return code.points[at].out; },
                           [](const CodeStep& step) { return step.to; });
  const auto before = reach([&](PointIndex at) { return into[at]; },
                            [](const CodeStep& step) { return step.from; });
  bool touches_cells = false;
  for (const auto& steps : into)
    for (const StepIndex id : steps) {
      if (after[code.steps[id].from] == 0 || before[code.steps[id].to] == 0) continue;
      if (std::holds_alternative<Spawn>(statement(code, id))) return false;
      touches_cells = touches_cells || !cells_.access(thread, id).direct;
    }
  return touches_cells;
}

void MuProgram::count_round(ThreadIndex thread, PointIndex point) {
  ProgramBuilder& build = emitter_.build();
  const RegId rounds = rounds_[thread].at(point);
  emitter_.branch(
      build.binary(Op::le, emitter_.number(int_, options_.rounds), emitter_.value(rounds)),
      cut({thread, threads_[thread].points[point].out[0]},
          fmt::format("bound: more than {} rounds of a loop", options_.rounds)));
  emitter_.assign(rounds, build.binary(Op::add, emitter_.value(rounds), emitter_.number(int_, 1)));
}

void MuProgram::reset_rounds(ThreadIndex thread) {
  for (const auto& [point, rounds] : rounds_[thread]) emitter_.assign(rounds, 0);
}

}  // namespace heddle::sequentialize
