#include "sequentialize/threads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/check.hpp"
#include "sequentialize/outliving.hpp"
#include "sequentialize/unroll.hpp"

namespace heddle::sequentialize {

using namespace ir;

const std::vector<Start>* ThreadCode::starts_of(StepIndex step) const {
  const auto at = std::lower_bound(spawns.begin(), spawns.end(), step,
                                   [](const auto& known, StepIndex s) { return known.first < s; });
  return at != spawns.end() && at->first == step ? &at->second : nullptr;
}

namespace {

// ---- one thread ------------------------------------------------------------------

class Expansion {
 public:
  Expansion(const Program& program, const passes::PointsTo& points_to,
            const ExpansionLimits& limits, std::uint32_t& points_left)
      : program_(program), points_to_(points_to), limits_(limits), points_left_(points_left) {}

  ThreadCode run(passes::InstanceId routine) {
    const FunId function = points_to_.instances()[routine].function;
    code_.frames.push_back({function, routine, std::nullopt, {}});
    code_.entry = point(0, program_.function(function).entry);
    while (!work_.empty()) {
      const PointIndex at = work_.back();
      work_.pop_back();
      expand(at);
    }
    if (limits_.unwind) {
      points_left_ += static_cast<std::uint32_t>(code_.points.size());
      code_ = unroll_loops(code_, *limits_.unwind, points_left_);
    }
    code_.routine = user_routine();
    find_loops();
    find_atomic_depth();
    return std::move(code_);
  }

 private:
  PointIndex point(FrameIndex frame, LocId at) {
    const auto [entry, fresh] =
        known_.try_emplace({frame, at}, static_cast<PointIndex>(code_.points.size()));
    if (fresh) {
      if (points_left_ == 0)
        throw TooLarge("the code of all threads, calls expanded, is too large");
      --points_left_;
      CodePoint added;
      added.frame = frame, added.at = at;
      code_.points.push_back(std::move(added));
      work_.push_back(entry->second);
    }
    return entry->second;
  }

  void add(CodeStep step) {
    code_.points[step.from].out.push_back(static_cast<StepIndex>(code_.steps.size()));
    code_.steps.push_back(std::move(step));
  }

  void expand(PointIndex from) {
    const LocId at = code_.points[from].at;
    const FrameIndex frame = code_.points[from].frame;
    for (const EdgeId id : program_.out(at)) {
      const Edge& edge = program_.edge(id);
      CodeStep step;
      step.from = from, step.edge = id;
      if (const auto* call = std::get_if<Call>(&edge.statement)) {
        enter(step, frame, *call);
        continue;
      }
      if (std::holds_alternative<Return>(edge.statement)) {
        leave(step, frame);
        continue;
      }
      if (std::holds_alternative<Exit>(edge.statement) ||
          std::holds_alternative<Unsupported>(edge.statement))
        step.kind = StepKind::end;
      else
        step.to = point(frame, edge.to);
      add(std::move(step));
    }
  }

  void enter(CodeStep step, FrameIndex frame, const Call& call) {
    for (const passes::InstanceId callee :
         points_to_.callees(code_.frames[frame].instance, step.edge)) {
      CodeStep entered = step;
      entered.called = points_to_.instances()[callee].function;
      const Function& function = program_.function(entered.called);
      entered.kind = StepKind::cut;
      if (call.args.size() < function.parameters.size()) {
        entered.reason = fmt::format("call of '{}' with too few arguments", function.name);
      } else if (activations(frame, entered.called) > limits_.recursion) {
        entered.reason =
            fmt::format("'{}' calls itself more than {} times", function.name, limits_.recursion);
      } else {
        entered.kind = StepKind::enter;
        entered.callee = static_cast<FrameIndex>(code_.frames.size());
        code_.frames.push_back({entered.called, callee, frame, step.edge});
        entered.to = point(entered.callee, function.entry);
      }
      add(std::move(entered));
    }
  }

  void leave(CodeStep step, FrameIndex frame) {
    const CodeFrame& left = code_.frames[frame];
    step.kind = left.caller ? StepKind::leave : StepKind::end;
    if (left.caller) step.to = point(*left.caller, program_.edge(left.call).to);
    add(std::move(step));
  }

  std::uint32_t activations(FrameIndex frame, FunId function) const {
    std::uint32_t found = 0;
    for (std::optional<FrameIndex> at = frame; at; at = code_.frames[*at].caller)
      found += code_.frames[*at].function == function ? 1 : 0;
    return found;
  }

  std::string user_routine() const {
    for (const CodeFrame& frame : code_.frames)
      if (program_.function(frame.function).origin == Origin::user)
        return program_.function(frame.function).name;
    return program_.function(code_.frames[0].function).name;
  }

  // Depth-first: what is still open when it is met again heads a loop. Tarjan's numbers on the
  // same walk give the cycles.
  void find_loops() {
    struct Visit {
      PointIndex at;
      std::size_t next = 0;
    };
    std::vector<std::uint32_t> number(code_.points.size(), 0), low(code_.points.size(), 0);
    std::vector<char> open(code_.points.size(), 0), on_stack(code_.points.size(), 0);
    std::vector<PointIndex> stack;
    std::vector<Visit> path;
    std::uint32_t count = 0;
    const auto visit = [&](PointIndex at) {
      number[at] = low[at] = ++count;
      open[at] = on_stack[at] = 1;
      stack.push_back(at);
      path.push_back({at});
    };
    visit(code_.entry);
    while (!path.empty()) {
      const PointIndex at = path.back().at;
      if (path.back().next < code_.points[at].out.size()) {
        const CodeStep& step = code_.steps[code_.points[at].out[path.back().next++]];
        if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
        if (open[step.to] != 0) code_.points[step.to].loop_head = true;
        if (step.to == at) code_.points[at].in_cycle = true;
        if (number[step.to] == 0)
          visit(step.to);
        else if (on_stack[step.to] != 0)
          low[at] = std::min(low[at], number[step.to]);
        continue;
      }
      path.pop_back();
      open[at] = 0;
      if (!path.empty()) low[path.back().at] = std::min(low[path.back().at], low[at]);
      if (low[at] != number[at]) continue;
      const bool cycle = stack.back() != at;
      PointIndex member;
      do {
        member = stack.back();
        stack.pop_back();
        on_stack[member] = 0;
        if (cycle) code_.points[member].in_cycle = true;
      } while (member != at);
    }
  }

  void find_atomic_depth() {
    std::vector<PointIndex> work{code_.entry};
    code_.points[code_.entry].reached = true;
    while (!work.empty()) {
      const CodePoint& at = code_.points[work.back()];
      work.pop_back();
      for (const StepIndex id : at.out) {
        const CodeStep& step = code_.steps[id];
        if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
        std::uint32_t depth = at.atomic_depth;
        if (const auto* mark = std::get_if<Atomic>(&program_.edge(step.edge).statement)) {
          if (mark->mark == AtomicMark::end && depth == 0)
            throw Rejected("the end of an atomic section that was not begun on every path");
          depth += mark->mark == AtomicMark::begin ? 1 : -1;
        }
        CodePoint& to = code_.points[step.to];
        if (to.reached && to.atomic_depth != depth)
          throw Rejected("an atomic section that is entered on one of two paths that meet");
        if (to.reached) continue;
        to.reached = true;
        to.atomic_depth = depth;
        work.push_back(step.to);
      }
    }
  }

  const Program& program_;
  const passes::PointsTo& points_to_;
  const ExpansionLimits& limits_;
  std::uint32_t& points_left_;
  ThreadCode code_{};
  std::map<std::pair<FrameIndex, LocId>, PointIndex> known_{};
  std::vector<PointIndex> work_{};
};

// ---- all threads -----------------------------------------------------------------

class AllThreads {
 public:
  AllThreads(const Program& program, const passes::PointsTo& points_to,
             const ExpansionLimits& limits)
      : program_(program),
        points_to_(points_to),
        limits_(limits),
        points_left_(limits.most_points) {}

  std::vector<ThreadCode> run() {
    if (points_to_.gave_up()) throw Rejected("the program is too large for the points-to analysis");
    threads_.push_back(Expansion(program_, points_to_, limits_, points_left_).run(0));
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) add_starts(thread);
    return std::move(threads_);
  }

 private:
  void add_starts(ThreadIndex thread) {
    for (StepIndex step = 0; step < threads_[thread].steps.size(); ++step) {
      const CodeStep known = threads_[thread].steps[step];
      if (!std::holds_alternative<Spawn>(program_.edge(known.edge).statement)) continue;
      const CodePoint& from = threads_[thread].points[known.from];
      const passes::InstanceId spawner = threads_[thread].frames[from.frame].instance;
      const bool again = from.in_cycle;
      std::vector<Start> starts;
      for (const passes::InstanceId routine : points_to_.callees(spawner, known.edge))
        starts.push_back(start(thread, step, routine, again));
      threads_[thread].spawns.emplace_back(step, std::move(starts));
    }
  }

  Start start(ThreadIndex creator, StepIndex step, passes::InstanceId routine, bool again) {
    Start result{points_to_.instances()[routine].function, {}};
    const std::uint32_t copies =
        limits_.copies_a_spawn == 0 ? limits_.threads_a_spawn : limits_.copies_a_spawn;
    const std::uint32_t wanted = again ? copies : 1;
    if (generations(creator, site(creator, step)) >= limits_.threads_a_spawn) return result;
    for (std::uint32_t i = 0; i < wanted && threads_.size() < limits_.most_threads; ++i) {
      result.threads.push_back(static_cast<ThreadIndex>(threads_.size()));
      ThreadCode code = Expansion(program_, points_to_, limits_, points_left_).run(routine);
      code.creator = creator;
      code.created_by = step;
      threads_.push_back(std::move(code));
    }
    return result;
  }

  using Site = std::pair<passes::InstanceId, EdgeId>;
  Site site(ThreadIndex thread, StepIndex step) const {
    const ThreadCode& code = threads_[thread];
    const CodeStep& known = code.steps[step];
    return {code.frames[code.points[known.from].frame].instance, known.edge};
  }
  // Threads that start others like themselves do so only so often.
  std::uint32_t generations(ThreadIndex thread, Site spawn) const {
    std::uint32_t found = 0;
    for (ThreadIndex at = thread; threads_[at].creator; at = *threads_[at].creator)
      found += site(*threads_[at].creator, threads_[at].created_by) == spawn ? 1 : 0;
    return found;
  }

  const Program& program_;
  const passes::PointsTo& points_to_;
  const ExpansionLimits& limits_;
  std::uint32_t points_left_;
  std::vector<ThreadCode> threads_{};
};

}  // namespace

std::vector<ThreadCode> expand_threads(const Program& program, const passes::PointsTo& points_to,
                                       const ExpansionLimits& limits) {
  std::vector<ThreadCode> threads = AllThreads(program, points_to, limits).run();
  mark_lives(program, points_to, threads);
  return threads;
}

}  // namespace heddle::sequentialize
