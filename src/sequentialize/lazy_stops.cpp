// Where a thread may stop, and what has to happen before it goes on.
#include <algorithm>

#include "base/check.hpp"
#include "passes/operands.hpp"
#include "sequentialize/lazy_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

// ---- where another thread may go on ---------------------------------------------

const Statement& LazyProgram::statement(const ThreadCode& code, StepIndex step) const {
  return program_.edge(code.steps[step].edge).statement;
}

// The next step of the thread may be noticed by others, or notices them.
bool LazyProgram::is_visible(const ThreadCode& code, const CodePoint& point) const {
  if (point.out.empty()) return false;
  const Statement& next = statement(code, point.out[0]);
  if (point.out.size() == 1 && std::holds_alternative<Assume>(next)) return true;
  if (const auto* exit = std::get_if<Exit>(&next)) return exit->scope != ExitScope::thread;
  if (std::holds_alternative<Atomic>(next)) return true;
  if (!passes::accessed_address(next)) return false;
  return facts_.sharedness.may_be_shared(code.steps[point.out[0]].edge);
}

// What comes next may stop this thread or everybody, so others may go on whatever they touch.
bool LazyProgram::always_counts(ThreadIndex thread, PointIndex at) const {
  if (options_.conflicts == Switch::off || conflicts_.may_stop(thread, at)) return true;
  const ThreadCode& code = threads_[thread];
  const Statement& next = statement(code, code.points[at].out[0]);
  return !passes::accessed_address(next) && !std::holds_alternative<Atomic>(next);
}

void LazyProgram::number_switch_points() {
  counters_.threads = threads_.size();
  places_.resize(threads_.size());
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
    const ThreadCode& code = threads_[thread];
    std::vector<std::uint32_t>& numbers = places_[thread].numbers;
    numbers.assign(code.points.size(), 0);
    find_backward_steps(thread);
    for (const PointIndex at : places_[thread].order) {
      const CodePoint& point = code.points[at];
      ++counters_.steps;
      if (places_[thread].is_target[at] != 0 || stops_before(code, at)) {
        numbers[at] = ++places_[thread].last;
        ++counters_.switch_points;
      } else {
        ++counters_.joined;
      }
      CHECK(at == code.entry || numbers[at] == 0 || !point.out.empty(), "a stop has a next step");
    }
  }
}

bool LazyProgram::stops_before(const ThreadCode& code, PointIndex at) const {
  const CodePoint& point = code.points[at];
  if (at == code.entry) return true;
  if (point.out.empty()) return false;
  const bool waits = std::holds_alternative<Await>(statement(code, point.out[0]));
  if (point.atomic_depth > 0) return waits;
  return options_.join_local == Switch::off || is_visible(code, point);
}

// Steps that go back in the order of the text would make loops with many entries of a block that
// can be entered anywhere; they go by way of the program counter instead.
void LazyProgram::find_backward_steps(ThreadIndex thread) {
  const ThreadCode& code = threads_[thread];
  Places& at = places_[thread];
  at.order = order_of(code);
  at.position.assign(code.points.size(), 0);
  for (std::uint32_t i = 0; i < at.order.size(); ++i) at.position[at.order[i]] = i;
  at.is_target.assign(code.points.size(), 0);
  for (const PointIndex from : at.order)
    for (const StepIndex id : code.points[from].out) {
      const CodeStep& step = code.steps[id];
      if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
      if (at.position[step.to] <= at.position[from]) at.is_target[step.to] = 1;
    }
}

// As the thread runs, so that numbers rise along it.
std::vector<PointIndex> LazyProgram::order_of(const ThreadCode& code) {
  std::vector<std::pair<PointIndex, std::size_t>> path{{code.entry, 0}};
  std::vector<char> seen(code.points.size(), 0);
  seen[code.entry] = 1;
  std::vector<PointIndex> order;
  while (!path.empty()) {
    auto& [at, next] = path.back();
    const std::vector<StepIndex>& out = code.points[at].out;
    if (next == out.size()) {
      order.push_back(at);
      path.pop_back();
      continue;
    }
    const CodeStep& step = code.steps[out[out.size() - 1 - next++]];
    if (step.kind == StepKind::end || step.kind == StepKind::cut || seen[step.to] != 0) continue;
    seen[step.to] = 1;
    path.push_back({step.to, 0});
  }
  std::reverse(order.begin(), order.end());
  return order;
}

// ---- what others have done since a thread stopped -------------------------------

// Whoever stops before an access could as well go on if nobody conflicts with it meanwhile: that
// is another execution, with fewer switches. One step a turn leaves no choice to go on.
bool LazyProgram::justifies() const {
  return options_.conflicts == Switch::on && options_.justified == Switch::on &&
         options_.scheduler != Scheduler::next_thread;
}

void LazyProgram::may_go_on(ThreadIndex thread) {
  emitter_.assign(places_[thread].read_since, ~std::uint64_t{0});
  emitter_.assign(places_[thread].written_since, ~std::uint64_t{0});
}

void LazyProgram::add(RegId to, ExprId bits) {
  emitter_.assign(to, emitter_.build().binary(Op::bit_or, emitter_.value(to), bits));
}

// The thread makes the accesses that come next.
void LazyProgram::note_accesses(ThreadIndex thread, PointIndex point) {
  const Future next = conflicts_.next(thread, point);
  if (next.reads != 0) add(turn_reads_, emitter_.number(mask_, next.reads));
  if (next.writes != 0) add(turn_writes_, emitter_.number(mask_, next.writes));
}

// At the end of a turn.
void LazyProgram::publish(ThreadIndex thread) {
  emitter_.go_on_at(places_[thread].over);
  for (ThreadIndex other = 0; justifies() && other < threads_.size(); ++other) {
    if (other == thread) continue;
    add(places_[other].read_since, emitter_.value(turn_reads_));
    add(places_[other].written_since, emitter_.value(turn_writes_));
  }
  emitter_.jump(places_[thread].stop);
}

void LazyProgram::assume_conflict(ThreadIndex thread, Future next) {
  ProgramBuilder& build = emitter_.build();
  const Places& at = places_[thread];
  const ExprId read =
      build.binary(Op::bit_and, emitter_.value(at.read_since), emitter_.number(mask_, next.writes));
  const ExprId written = build.binary(Op::bit_and, emitter_.value(at.written_since),
                                      emitter_.number(mask_, next.reads | next.writes));
  emitter_.assume(
      build.binary(Op::ne, build.binary(Op::bit_or, read, written), emitter_.number(mask_, 0)));
}

}  // namespace heddle::sequentialize
