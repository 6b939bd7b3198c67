// A thread's turn: from where it stopped to where it stops next.
#include <algorithm>

#include "sequentialize/lazy_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

// ---- a thread's turn ------------------------------------------------------------

void LazyProgram::turn(ThreadIndex thread) {
  Places& at = places_[thread];
  const ThreadCode& code = threads_[thread];
  for (PointIndex point = 0; point < code.points.size(); ++point) {
    at.resume[point] = emitter_.fresh();
    at.arrive[point] = at.numbers[point] != 0 ? emitter_.fresh() : at.resume[point];
    at.back[point] = at.is_target[point] != 0 ? emitter_.fresh() : LocId::none();
  }
  ProgramBuilder& build = emitter_.build();
  if (options_.markers == Switch::on) check_invariants(thread);
  if (options_.scheduler == Scheduler::next_thread)
    emitter_.branch(emitter_.differs(next_, thread), at.stop);
  const ExprId now = pc(thread);
  const auto is = [&](std::uint32_t number) {
    return build.binary(Op::eq, now, emitter_.number(int_, number));
  };
  emitter_.branch(is(0), at.stop);
  if (!justifies()) {
    choose_to_run(thread, at.stop);
  } else {
    emitter_.assign(turn_reads_, 0);
    emitter_.assign(turn_writes_, 0);
    if (std::ranges::count(at.is_target, 1) > 0) emitter_.assign(comes_back_, 0);
  }
  at.dispatch = emitter_.fresh();
  emitter_.jump(at.dispatch);
  if (options_.pc == PcForm::array) pc(thread);
  if (options_.markers == Switch::on) check_range(thread, now);
  const LocId dispatch = emitter_.here();
  for (PointIndex point = 0; point < code.points.size(); ++point) {
    if (at.numbers[point] == 0) continue;
    emitter_.go_on_at(dispatch);
    if (!justifies()) {
      emitter_.emit_to(at.resume[point], Assume{is(at.numbers[point])});
      continue;
    }
    ++counters_.justified;
    emitter_.emit(Assume{is(at.numbers[point])});
    go_on_if_justified(thread, point);
  }
}

// Goes to `passes` where the thread does not use its turn.
void LazyProgram::choose_to_run(ThreadIndex thread, LocId passes) {
  switch (options_.scheduler) {
    case Scheduler::rounds:
      emitter_.emit(Havoc{choice_});
      return emitter_.branch(emitter_.build().negation(emitter_.value(choice_)), passes);
    case Scheduler::statements:
      emitter_.emit(Havoc{left_, places_[thread].last + std::uint64_t{1}});
      return emitter_.branch(emitter_.equals(left_, 0), passes);
    case Scheduler::next_thread:
      return;
  }
}

// It goes on once somebody has conflicted with what comes next, and must as soon as nobody may do
// so again.
void LazyProgram::go_on_if_justified(ThreadIndex thread, PointIndex point) {
  const Places& at = places_[thread];
  if (at.is_target[point] != 0) emitter_.branch(emitter_.value(comes_back_), at.resume[point]);
  emitter_.branch(emitter_.build().negation(was_in_conflict(thread, point)), at.stop);
  if (options_.scheduler == Scheduler::rounds) {
    if (is_unnoticed(thread, point)) return emitter_.jump(at.resume[point]);
    if (is_guarded(thread, point))
      ask_others(thread, conflicts_.next(thread, point), at.resume[point]);
  }
  const LocId passes = emitter_.fresh();
  choose_to_run(thread, passes);
  emitter_.jump(at.resume[point]);
  emitter_.go_on_at(passes);
  must_wait(thread);
  emitter_.jump(at.stop);
}

// The thread comes to a place where it may stop.
void LazyProgram::arrive(ThreadIndex thread, PointIndex point) {
  const Places& at = places_[thread];
  const ThreadCode& code = threads_[thread];
  emitter_.go_on_at(at.arrive[point]);
  const CodePoint& known = code.points[point];
  if (known.atomic_depth > 0) {  // only a wait stops it there
    if (!waits_in_section(code, known)) emitter_.jump(at.resume[point]);
    return;
  }
  if (!stops_before(code, point)) return emitter_.jump(at.resume[point]);
  const LocId stop = emitter_.fresh();
  if (point != code.entry && is_guarded(thread, point)) {
    ++counters_.guarded;
    ask_others(thread, conflicts_.next(thread, point), at.resume[point]);
  }
  choose_to_stop(stop);
  emitter_.jump(at.resume[point]);
  emitter_.go_on_at(stop);
  stop_at(thread, point);
}

// It stops there only while another one may still conflict.
bool LazyProgram::is_guarded(ThreadIndex thread, PointIndex point) const {
  const ThreadCode& code = threads_[thread];
  return options_.conflicts == Switch::on && code.points[point].atomic_depth == 0 &&
         stops_before(code, point) && !always_counts(thread, point);
}

// The thread comes to a place by a backward step. Whatever it did on the way, others may go on:
// if it never leaves the loop, nobody else would ever be asked.
void LazyProgram::come_back(ThreadIndex thread, PointIndex point) {
  const Places& at = places_[thread];
  emitter_.go_on_at(at.back[point]);
  if (threads_[thread].points[point].atomic_depth == 0) {
    const LocId stop = emitter_.fresh(), go_on = emitter_.fresh();
    choose_to_stop(stop);
    emitter_.jump(go_on);
    emitter_.go_on_at(stop);
    stop_at(thread, point);
    emitter_.go_on_at(go_on);
  }
  if (justifies()) emitter_.assign(comes_back_, 1);
  set_pc(thread, at.numbers[point]);
  emitter_.jump(at.dispatch);
}

// Goes to `resume` where no other thread may conflict with what comes next.
void LazyProgram::ask_others(ThreadIndex thread, Future next, LocId resume) {
  ProgramBuilder& build = emitter_.build();
  const auto met = [&](std::uint64_t mask, RegId Places::*what) -> std::optional<ExprId> {
    std::optional<ExprId> all;
    for (ThreadIndex other = 0; mask != 0 && other < threads_.size(); ++other) {
      if (other == thread) continue;
      const ExprId one = emitter_.value(places_[other].*what);
      all = all ? build.binary(Op::bit_or, *all, one) : one;
    }
    if (all) all = build.binary(Op::bit_and, *all, emitter_.number(mask_, mask));
    return all;
  };
  const std::optional<ExprId> read = met(next.writes, &Places::reads);
  const std::optional<ExprId> written = met(next.reads | next.writes, &Places::writes);
  ExprId conflict = emitter_.number(mask_, 0);
  if (read && written)
    conflict = build.binary(Op::bit_or, *read, *written);
  else if (written)
    conflict = *written;
  emitter_.branch(build.binary(Op::eq, conflict, emitter_.number(mask_, 0)), resume);
}

void LazyProgram::choose_to_stop(LocId stop) {
  switch (options_.scheduler) {
    case Scheduler::rounds:
      emitter_.emit(Havoc{choice_});
      emitter_.branch(emitter_.value(choice_), stop);
      break;
    case Scheduler::statements: {
      ProgramBuilder& build = emitter_.build();
      const TypeId type = build.view().reg(left_).type;
      emitter_.assign(left_,
                      build.binary(Op::sub, emitter_.value(left_), emitter_.number(type, 1)));
      emitter_.branch(emitter_.equals(left_, 0), stop);
      break;
    }
    case Scheduler::next_thread: {
      const LocId never = emitter_.fresh();
      emitter_.jump(stop);
      emitter_.go_on_at(never);
      break;
    }
  }
}

void LazyProgram::stop_at(ThreadIndex thread, PointIndex point) {
  if (justifies()) must_wait(thread);
  set_pc(thread, places_[thread].numbers[point]);
  if (options_.conflicts == Switch::on) set_future(thread, conflicts_.future(thread, point));
  emitter_.jump(places_[thread].over);
}

void LazyProgram::end_thread(ThreadIndex thread) {
  set_pc(thread, 0);
  if (options_.conflicts == Switch::on) set_future(thread, {});
  emitter_.jump(places_[thread].over);
}

}  // namespace heddle::sequentialize
