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
  if (ends_what_others_know(code, code.steps[point.out[0]])) return true;
  if (const auto* exit = std::get_if<Exit>(&next)) return exit->scope != ExitScope::thread;
  if (std::holds_alternative<Atomic>(next)) return true;
  if (!passes::accessed_address(next)) return false;
  return facts_.sharedness.may_be_shared(code.steps[point.out[0]].edge);
}

bool LazyProgram::ends_what_others_know(const ThreadCode& code, const CodeStep& step) const {
  return std::ranges::any_of(step.ends, [&](LifeIndex life) {
    return facts_.sharedness.object_may_be_shared(code.lives[life].allocation);
  });
}

// What comes next may stop this thread or everybody, so others may go on whatever they touch.
bool LazyProgram::always_counts(ThreadIndex thread, PointIndex at) const {
  if (options_.conflicts == Switch::off || conflicts_.may_stop(thread, at)) return true;
  const ThreadCode& code = threads_[thread];
  if (!code.points[at].bound.empty()) return true;
  const StepIndex step = code.points[at].out[0];
  const Statement& next = statement(code, step);
  return !passes::accessed_address(next) && !std::holds_alternative<Atomic>(next) &&
         !ends_what_others_know(code, code.steps[step]);
}

// What comes next is nobody else's business, so that it may as well come now.
bool LazyProgram::is_unnoticed(ThreadIndex thread, PointIndex at) const {
  const ThreadCode& code = threads_[thread];
  return code.points[at].atomic_depth == 0 && !code.points[at].out.empty() &&
         !is_visible(code, code.points[at]) && !conflicts_.may_stop(thread, at);
}

void LazyProgram::number_switch_points() {
  counters_.threads = threads_.size();
  places_.resize(threads_.size());
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
    const ThreadCode& code = threads_[thread];
    std::vector<std::uint32_t>& numbers = places_[thread].numbers;
    numbers.assign(code.points.size(), 0);
    find_backward_steps(thread);
    find_waiting_sections(thread);
    for (const PointIndex at : places_[thread].order) {
      const CodePoint& point = code.points[at];
      ++counters_.steps;
      if (places_[thread].is_target[at] != 0 || stops_before(code, at)) {
        numbers[at] = ++places_[thread].last;
        ++counters_.switch_points;
      } else {
        ++counters_.joined;
      }
      CHECK(at == code.entry || numbers[at] == 0 || !point.out.empty() || !point.bound.empty(),
            "a stop has a next step");
    }
  }
}

bool LazyProgram::stops_before(const ThreadCode& code, PointIndex at) const {
  const CodePoint& point = code.points[at];
  if (at == code.entry) return true;
  // Others may still break something while this thread goes round and round.
  if (!point.bound.empty()) return point.atomic_depth == 0;
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

// Of all executions that differ only in the order of steps that do not conflict, one makes each
// step in the first turn of its thread that is not too early. So a thread whose turn ended, or
// who passed, goes on only once another one has conflicted with its next step. One step a turn
// leaves no choice to go on.
bool LazyProgram::justifies() const {
  return options_.conflicts == Switch::on && options_.justified == Switch::on &&
         options_.scheduler != Scheduler::next_thread;
}

// Whatever its next step is.
void LazyProgram::may_go_on(ThreadIndex thread) {
  emitter_.assign(places_[thread].read_since, 0);
  emitter_.assign(places_[thread].written_since, may_go_on_bit);
}

void LazyProgram::must_wait(ThreadIndex thread) {
  emitter_.assign(places_[thread].read_since, 0);
  emitter_.assign(places_[thread].written_since, 0);
}

void LazyProgram::add(RegId to, std::uint64_t bits) {
  if (bits != 0) add(to, emitter_.number(mask_, bits));
}

void LazyProgram::add(RegId to, ExprId bits) {
  emitter_.assign(to, emitter_.build().binary(Op::bit_or, emitter_.value(to), bits));
}

// A section that waits may end at the wait, so its steps count one by one.
void LazyProgram::find_waiting_sections(ThreadIndex thread) {
  const ThreadCode& code = threads_[thread];
  Places& at = places_[thread];
  at.begins_waiting.assign(code.points.size(), 0);
  at.counts_alone.assign(code.points.size(), 0);
  for (const PointIndex start : at.order) {
    const CodePoint& point = code.points[start];
    if (point.atomic_depth > 0 || point.out.empty()) continue;
    if (!std::holds_alternative<Atomic>(statement(code, point.out[0]))) continue;
    const std::vector<PointIndex> inside = conflicts_.section(thread, start);
    const auto waits = [&](PointIndex in) { return waits_in_section(code, code.points[in]); };
    if (std::none_of(inside.begin(), inside.end(), waits)) continue;
    at.begins_waiting[start] = 1;
    for (const PointIndex in : inside)
      if (in != start) at.counts_alone[in] = 1;
  }
}

// The thread makes the accesses that come next.
void LazyProgram::note_accesses(ThreadIndex thread, PointIndex point) {
  const Places& at = places_[thread];
  // A section that goes on after a wait might as well have waited longer there.
  if (at.begins_waiting[point] != 0 ||
      waits_in_section(threads_[thread], threads_[thread].points[point])) {
    emitter_.assign(section_reads_, 0);
    emitter_.assign(section_writes_, 0);
  }
  if (at.counts_alone[point] != 0) return note_in_waiting_section(thread, point);
  if (at.begins_waiting[point] != 0 || at.numbers[point] == 0) return;
  const Future next = conflicts_.next(thread, point);
  add(turn_reads_, next.reads);
  add(turn_writes_, next.writes);
}

void LazyProgram::note_in_waiting_section(ThreadIndex thread, PointIndex point) {
  const Future next = conflicts_.of_steps(thread, point);
  add(turn_reads_, next.reads);
  add(turn_writes_, next.writes);
  add(section_reads_, next.reads);
  const ThreadCode& code = threads_[thread];
  const bool starts = !code.points[point].out.empty() &&
                      std::holds_alternative<Spawn>(statement(code, code.points[point].out[0]));
  add(section_writes_, next.writes | (starts ? may_go_on_bit : 0));
}

// The section cannot go on. As long as it has only read, and nobody will write what it read, it
// might as well begin once it need not wait; then this is the last that we hear of the thread.
void LazyProgram::note_wait(ThreadIndex thread) {
  ProgramBuilder& build = emitter_.build();
  ExprId written = emitter_.number(mask_, 0);
  for (ThreadIndex other = 0; other < threads_.size(); ++other)
    if (other != thread)
      written = build.binary(Op::bit_or, written, emitter_.value(places_[other].writes));
  const ExprId changes = build.binary(Op::bit_and, written, emitter_.value(section_reads_));
  emitter_.assign(
      places_[thread].section_goes_on,
      build.binary(Op::ne, build.binary(Op::bit_or, changes, emitter_.value(section_writes_)),
                   emitter_.number(mask_, 0)));
}

// At the end of a turn.
void LazyProgram::publish(ThreadIndex thread) {
  emitter_.go_on_at(places_[thread].over);
  emitter_.assign(moved_, 1);
  for (ThreadIndex other = 0; justifies() && other < threads_.size(); ++other) {
    if (other == thread) continue;
    add(places_[other].read_since, emitter_.value(turn_reads_));
    add(places_[other].written_since, emitter_.value(turn_writes_));
  }
  emitter_.jump(places_[thread].stop);
}

// Since it stopped or passed, somebody has conflicted with what comes next.
ExprId LazyProgram::was_in_conflict(ThreadIndex thread, PointIndex point) {
  const Future next = conflicts_.next(thread, point);
  ProgramBuilder& build = emitter_.build();
  const Places& at = places_[thread];
  const ExprId read =
      build.binary(Op::bit_and, emitter_.value(at.read_since), emitter_.number(mask_, next.writes));
  const ExprId written =
      build.binary(Op::bit_and, emitter_.value(at.written_since),
                   emitter_.number(mask_, next.reads | next.writes | may_go_on_bit));
  const ExprId conflict =
      build.binary(Op::ne, build.binary(Op::bit_or, read, written), emitter_.number(mask_, 0));
  if (!waits_in_section(threads_[thread], threads_[thread].points[point])) return conflict;
  return build.binary(Op::bit_and, conflict, emitter_.value(at.section_goes_on));
}

}  // namespace heddle::sequentialize
