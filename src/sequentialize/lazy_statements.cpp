// What the threads do: statements, calls, waits, and threads that start.
#include "sequentialize/lazy_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

// ---- a thread's statements ------------------------------------------------------

void LazyProgram::block(ThreadIndex thread) {
  const ThreadCode& code = threads_[thread];
  for (const PointIndex point : places_[thread].order) {
    emitter_.note(std::nullopt);
    if (places_[thread].numbers[point] != 0) arrive(thread, point);
    if (places_[thread].is_target[point] != 0) come_back(thread, point);
    if (!code.points[point].out.empty())
      emitter_.note(steps_.note({thread, code.points[point].out[0]}));
    execute(thread, point);
    emitter_.note(std::nullopt);
  }
}

void LazyProgram::execute(ThreadIndex thread, PointIndex point) {
  const ThreadCode& code = threads_[thread];
  const CodePoint& known = code.points[point];
  if (waits_in_section(code, known)) await_in_section(thread, point);
  emitter_.go_on_at(places_[thread].resume[point]);
  if (justifies()) note_accesses(thread, point);
  if (!known.bound.empty()) return emitter_.bound(known.bound);
  if (known.out.empty()) {
    emitter_.assume(emitter_.number(bool_, 0));
    emitter_.jump(finish_);
    return;
  }
  if (known.out.size() > 1 && std::holds_alternative<Assume>(statement(code, known.out[0])))
    return steps_.branch(thread, known, [&](PointIndex to) { return entry(thread, point, to); });
  if (std::holds_alternative<Call>(statement(code, known.out[0]))) return call(thread, known);
  step({thread, known.out[0]});
}

// Where a step leads.
LocId LazyProgram::entry(ThreadIndex thread, PointIndex from, PointIndex to) const {
  const Places& at = places_[thread];
  return at.position[to] <= at.position[from] ? at.back[to] : at.arrive[to];
}

void LazyProgram::go_on(StepRef at) {
  const CodeStep& step = steps_.step(at);
  emitter_.jump(entry(at.thread, step.from, step.to));
}

bool LazyProgram::waits_in_section(const ThreadCode& code, const CodePoint& point) const {
  return point.atomic_depth > 0 && !point.out.empty() &&
         std::holds_alternative<Await>(statement(code, point.out[0]));
}

void LazyProgram::call(ThreadIndex thread, const CodePoint& point) {
  const StepRef first{thread, point.out[0]};
  std::vector<FunId> functions;
  for (const StepIndex id : point.out) functions.push_back(threads_[thread].steps[id].called);
  const ExprId callee = std::get<Call>(steps_.edge(first).statement).callee;
  for (const auto& candidate : steps_.choose_function(first, callee, functions)) {
    const StepRef at{thread, point.out[candidate.index]};
    emitter_.go_on_at(candidate.at);
    if (steps_.step(at).kind == StepKind::cut) {
      emitter_.bound(steps_.step(at).reason, steps_.edge(at).source);
      continue;
    }
    steps_.enter(at);
    go_on(at);
  }
}

void LazyProgram::step(StepRef at) {
  const Statement& what = steps_.edge(at).statement;
  end_lives(at);
  if (steps_.step(at).kind == StepKind::leave) {
    steps_.leave(at);
    return go_on(at);
  }
  if (steps_.step(at).kind == StepKind::end) return end(at);
  if (const auto* wait = std::get_if<Await>(&what)) {
    await(at, *wait);
  } else if (std::holds_alternative<Atomic>(what)) {
    steps_.skip(at);
  } else if (const auto* self = std::get_if<Self>(&what)) {
    const RegId to = steps_.renamed(at, self->to);
    const TypeId type = emitter_.build().view().reg(to).type;
    emitter_.stands_for(
        emitter_.emit(
            Assign{to, emitter_.build().cast(type, emitter_.value(places_[at.thread].self))},
            steps_.edge(at).source),
        steps_.origin(at));
  } else if (const auto* spawn = std::get_if<Spawn>(&what)) {
    return start(at, *spawn);
  } else if (steps_.step(at).begins) {
    allocate(at, std::get<Alloc>(what));
  } else if (variables_.kept(at)) {
    take_variable(at);
  } else {
    if (const auto* free = std::get_if<Free>(&what)) reject_local_variables(at, *free);
    steps_.copy(at);
  }
  go_on(at);
}

// In plain words the blocks of the model library, a record for each thread, are variables.
void LazyProgram::keep_variables() {
  if (options_.emission.wording == Wording::exact) return;
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (StepIndex id = 0; id < threads_[thread].steps.size(); ++id) {
      const StepRef at{thread, id};
      const auto* alloc = std::get_if<Alloc>(&steps_.edge(at).statement);
      if (alloc == nullptr || alloc->kind != AllocKind::model || !variables_.possible(at)) continue;
      const bool again = threads_[thread].points[steps_.step(at).from].in_cycle;
      variables_.keep(at, again ? static_cast<std::uint32_t>(threads_.size()) : 1,
                      Counting::where_several);
    }
}

void LazyProgram::take_variable(StepRef at) {
  if (variables_.count(at) == 1) return variables_.take(at, LocId::none());
  const LocId beyond = emitter_.fresh();
  variables_.take(at, beyond);
  const LocId after = emitter_.here();
  emitter_.go_on_at(beyond);
  emitter_.bound("more threads than were provided for", steps_.edge(at).source);
  emitter_.go_on_at(after);
}

void LazyProgram::end(StepRef at) {
  const Statement& what = steps_.edge(at).statement;
  if (std::holds_alternative<Unsupported>(what)) return steps_.copy(at);
  const auto* exit = std::get_if<Exit>(&what);
  steps_.skip(at);
  const bool process = exit != nullptr ? exit->scope != ExitScope::thread : at.thread == 0;
  if (process) return emitter_.jump(finish_);
  end_thread_locals();
  end_thread(at.thread);
}

void LazyProgram::load_awaited(StepRef at, const Await& wait) {
  Load load{steps_.renamed(at, wait.loaded), steps_.renamed(at, wait.address)};
  if (options_.emission.wording == Wording::exact) load.order = wait.order;
  emitter_.emit(load, steps_.edge(at).source);
}

void LazyProgram::await(StepRef at, const Await& wait) {
  load_awaited(at, wait);
  const EdgeId passed =
      emitter_.emit(Assume{steps_.renamed(at, wait.condition)}, steps_.edge(at).source);
  emitter_.stands_for(passed, steps_.origin(at));
}

// Others run on while the section waits; otherwise it goes on at once.
void LazyProgram::await_in_section(ThreadIndex thread, PointIndex point) {
  const StepRef at{thread, threads_[thread].points[point].out[0]};
  const auto& wait = std::get<Await>(steps_.edge(at).statement);
  emitter_.go_on_at(places_[thread].arrive[point]);
  load_awaited(at, wait);
  const LocId passed = emitter_.fresh(), blocked = emitter_.fresh();
  const ExprId condition = steps_.renamed(at, wait.condition);
  const LocId start = emitter_.here();
  const EdgeId taken = emitter_.emit_to(passed, Assume{condition}, steps_.edge(at).source);
  emitter_.stands_for(taken, steps_.origin(at));
  if (justifies()) note_in_waiting_section(thread, point);
  go_on(at);
  emitter_.go_on_at(start);
  emitter_.emit_to(blocked, Assume{emitter_.build().negation(condition)}, steps_.edge(at).source);
  if (justifies()) note_wait(thread);
  stop_at(thread, point);
}

// ---- threads that start ---------------------------------------------------------

void LazyProgram::start(StepRef at, const Spawn& spawn) {
  const std::vector<Start>& starts = *threads_[at.thread].starts_of(at.step);
  std::vector<FunId> routines;
  for (const Start& start : starts) routines.push_back(start.routine);
  for (const auto& candidate : steps_.choose_function(at, spawn.routine, routines)) {
    emitter_.go_on_at(candidate.at);
    start_one_of(at, spawn, starts[candidate.index]);
  }
}

// The first that has not been started yet.
void LazyProgram::start_one_of(StepRef at, const Spawn& spawn, const Start& start) {
  for (const ThreadIndex thread : start.threads) {
    const LocId free = emitter_.fresh();
    emitter_.branch(emitter_.equals(places_[thread].self, 0), free, steps_.edge(at).source);
    const LocId otherwise = emitter_.here();
    emitter_.go_on_at(free);
    start_thread(at, spawn, thread);
    emitter_.go_on_at(otherwise);
  }
  emitter_.bound("more threads than were provided for", steps_.edge(at).source);
}

void LazyProgram::start_thread(StepRef at, const Spawn& spawn, ThreadIndex thread) {
  ProgramBuilder& build = emitter_.build();
  const base::SourceRange source = steps_.edge(at).source;
  steps_.pass_argument(at, spawn, thread);
  emitter_.assign(
      created_, build.binary(Op::add, emitter_.value(created_), emitter_.number(int_, 1)), source);
  emitter_.assign(places_[thread].self, emitter_.value(created_), source);
  set_pc(thread, 1);
  if (options_.conflicts == Switch::on)
    set_future(thread, conflicts_.future(thread, threads_[thread].entry));
  const RegId to = steps_.renamed(at, spawn.number);
  const TypeId type = build.view().reg(to).type;
  const EdgeId last = emitter_.emit(Assign{to, build.cast(type, emitter_.value(created_))}, source);
  Origin origin = steps_.origin(at);
  origin.starts = thread;
  emitter_.stands_for(last, origin);
  go_on(at);
}

}  // namespace heddle::sequentialize
