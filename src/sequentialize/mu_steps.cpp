// What a thread does at each of its places.
#include <fmt/format.h>

#include <algorithm>

#include "sequentialize/mu_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

// ---- one place of a thread --------------------------------------------------------

void MuProgram::execute(ThreadIndex thread, PointIndex point) {
  const ThreadCode& code = threads_[thread];
  const CodePoint& known = code.points[point];
  emitter_.go_on_at(places_[thread].points[point]);
  if (!known.bound.empty()) return emitter_.jump(cut(thread, point, "bound: " + known.bound));
  if (known.out.empty()) return leave_for_good(thread, point);
  if (known.loop_head) {
    if (known.atomic_depth == 0) may_stop(thread, point);
    if (rounds_[thread].contains(point)) count_round(thread, point);
  }
  const Statement& next = statement(code, known.out[0]);
  if (known.out.size() > 1 && std::holds_alternative<Assume>(next))
    return steps_.branch(thread, known, [&](PointIndex to) { return way(thread, point, to); });
  if (std::holds_alternative<Call>(next)) return call(thread, known);
  step({thread, known.out[0]});
}

// As ThreadEmitter::choose_function, but what is no function counts only if all guesses were
// right.
std::vector<ThreadEmitter::Candidate> MuProgram::choose(StepRef at, ExprId address,
                                                        const std::vector<FunId>& functions) {
  ProgramBuilder& build = emitter_.build();
  const Expr known = program_.expr(address);
  if (known.op == Op::function_address) {
    const auto called = std::find(functions.begin(), functions.end(),
                                  FunId{static_cast<std::uint32_t>(known.payload)});
    if (called != functions.end())
      return {{emitter_.here(), static_cast<std::size_t>(called - functions.begin())}};
  }
  std::vector<ThreadEmitter::Candidate> result;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const ExprId function = build.cast(known.type, build.function_address(functions[i]));
    const ExprId is_it = build.binary(Op::eq, steps_.renamed(at, address), function);
    result.push_back({emitter_.fresh(), i});
    if (i + 1 < functions.size()) {
      emitter_.branch(is_it, result.back().at, steps_.edge(at).source);
      continue;
    }
    note(build.negation(is_it), "undefined: call of an address that is no function");
    emitter_.jump(result.back().at);
  }
  if (functions.empty())
    emitter_.jump(cut(at, "undefined: call of an address that is no function"));
  return result;
}

void MuProgram::may_stop(ThreadIndex thread, PointIndex point) {
  if (!concurrent(thread, point)) return;
  emitter_.emit(Havoc{choice_});
  emitter_.branch(emitter_.value(choice_), stop(thread, point));
}

// The thread does nothing more. Inside a section nobody else would either, so that the thread
// has to stop before the section instead.
void MuProgram::leave_for_good(ThreadIndex thread, PointIndex point) {
  if (threads_[thread].points[point].atomic_depth > 0) emitter_.assume(emitter_.number(bool_, 0));
  emitter_.jump(stop(thread, point));
}

void MuProgram::call(ThreadIndex thread, const CodePoint& point) {
  const StepRef first{thread, point.out[0]};
  std::vector<FunId> functions;
  for (const StepIndex id : point.out) functions.push_back(threads_[thread].steps[id].called);
  const ExprId callee = std::get<Call>(steps_.edge(first).statement).callee;
  for (const auto& candidate : choose(first, callee, functions)) {
    const StepRef at{thread, point.out[candidate.index]};
    emitter_.go_on_at(candidate.at);
    if (steps_.step(at).kind == StepKind::cut) {
      emitter_.jump(cut(at, "bound: " + steps_.step(at).reason));
      continue;
    }
    steps_.enter(at);
    go_on(at);
  }
}

void MuProgram::step(StepRef at) {
  end_lives(at);
  if (steps_.step(at).kind == StepKind::leave) {
    steps_.leave(at);
    return go_on(at);
  }
  if (steps_.step(at).kind == StepKind::end) return end(at);
  const Statement& what = steps_.edge(at).statement;
  if (const auto* spawn = std::get_if<Spawn>(&what)) return start(at, *spawn);
  if (const auto* fail = std::get_if<Fail>(&what)) {
    if (options_.emission.failures.contains(fail->kind)) return this->fail(at, *fail);
    steps_.skip(at);
    return go_on(at);
  }
  if (const auto* mark = std::get_if<Atomic>(&what)) return section(at, *mark);
  if (const auto* assume = std::get_if<Assume>(&what)) {
    const ExprId condition = steps_.renamed(at, assume->condition);
    if (depth(at) == 0)
      emitter_.branch(emitter_.build().negation(condition), stop(at), steps_.edge(at).source);
    else
      emitter_.assume(condition, steps_.edge(at).source);
    steps_.skip(at);
  } else if (const auto* self = std::get_if<Self>(&what)) {
    set(at, self->to, emitter_.value(registers_[at.thread].self), steps_.origin(at));
  } else if (const std::string& beyond = cells_.access(at.thread, at.step).beyond;
             !beyond.empty()) {
    return emitter_.jump(cut(at, beyond));
  } else if (lives_.may_be_late(at)) {
    stop_or_move(at);
    lives_.before_use(at);
    access(at, what);
    lives_.after_use(at, placing(at), exits(at));
  } else {
    access(at, what);
  }
  go_on(at);
}

// Nobody else may notice the step itself, but when it happens matters.
void MuProgram::stop_or_move(StepRef at) {
  const PointIndex from = steps_.step(at).from;
  if (depth(at) > 0 || !concurrent(at.thread, from)) return;
  may_stop(at.thread, from);
  if (options_.moves == Moves::guessed) memory_->move(at.thread);
}

// The objects stay, but whoever uses one after that moment does what is undefined.
void MuProgram::end_lives(StepRef at) {
  if (steps_.step(at).ends.empty()) return;
  stop_or_move(at);
  lives_.end(at, exits(at));
}

void MuProgram::set(StepRef at, RegId to, ExprId value, Origin origin) {
  ProgramBuilder& build = emitter_.build();
  const RegId known = steps_.renamed(at, to);
  const EdgeId made = emitter_.emit(Assign{known, build.cast(build.view().reg(known).type, value)},
                                    steps_.edge(at).source);
  emitter_.stands_for(made, origin);
}

void MuProgram::noticed(StepRef at) {
  if (depth(at) == 0 && options_.stops == Stops::before_any_step)
    may_stop(at.thread, steps_.step(at).from);
  ++counters_.switch_points;
}

void MuProgram::access(StepRef at, const Statement& what) {
  const MuAccess& access = cells_.access(at.thread, at.step);
  if (!access.direct && !access.in_memory) return shared(at, what);
  if (access.in_memory) noticed(at);
  direct(at, what);
}

void MuProgram::shared(StepRef at, const Statement& what) {
  noticed(at);
  const Placing placing = this->placing(at);
  if (const auto* load = std::get_if<Load>(&what)) {
    accesses_.load(at, *load, placing, exits(at));
  } else if (const auto* store = std::get_if<Store>(&what)) {
    accesses_.store(at, *store, placing, exits(at));
  } else if (const auto* update = std::get_if<Update>(&what)) {
    accesses_.update(at, *update, placing, exits(at));
  } else {
    MuExits known = exits(at);
    known.stop = stop_waiting(at);
    accesses_.await(at, std::get<Await>(what), placing, known);
  }
}

void MuProgram::allocate(StepRef at, const Alloc& alloc) {
  const std::optional<passes::ObjectIndex> object = cells_.object_of(at.thread, at.step);
  if (variables_.kept(at)) {
    take_variable(at);
  } else {
    Alloc copy = alloc;
    copy.kind = kind_of(at, alloc, object);
    const EdgeId made = emitter_.emit(emitter_.rename(at.thread, steps_.frame(at), std::move(copy)),
                                      steps_.edge(at).source);
    emitter_.stands_for(made, steps_.origin(at));
  }
  const ExprId made = emitter_.value(steps_.renamed(at, alloc.to));
  if (memory_->has_later_blocks() && object && concurrent(at.thread, steps_.step(at).from))
    memory_->note_block(cells_.found_in(*object), made, steps_.renamed(at, alloc.size),
                        alloc.contents);
  if (at.thread == 0) memory_->note_object(at.step, made);
  if (steps_.step(at).begins) begin_life(at, alloc);
}

void MuProgram::begin_life(StepRef at, const Alloc& alloc) {
  doubt(lives_.forgets(at),
        fmt::format("bound: more than {} local variables whose life ends", lives_.known_of(at)));
  lives_.begin(at, emitter_.value(steps_.renamed(at, alloc.to)), steps_.renamed(at, alloc.size));
}

void MuProgram::take_variable(StepRef at) {
  const std::uint32_t count = variables_.count(at);
  variables_.take(
      at, count == 1 ? LocId::none() : cut(at, fmt::format("bound: more than {} objects", count)));
}

// Objects are put where nobody points yet, but a guess may be the address of one; and others may
// look at it after the thread has been simulated. Blocks that threads share are never freed here.
AllocKind MuProgram::kind_of(StepRef at, const Alloc& alloc,
                             std::optional<passes::ObjectIndex> object) const {
  const bool shared = object && facts_.sharedness.object_may_be_shared(*object);
  if (alloc.kind == AllocKind::heap && !shared) return AllocKind::heap;
  if (options_.emission.wording == Wording::plain && variables_.is_local(at))
    return AllocKind::stack;
  return AllocKind::model;
}

// Memory and registers of which nobody else can tell.
void MuProgram::direct(StepRef at, const Statement& what) {
  const bool may_be_shared = facts_.sharedness.may_be_shared(steps_.step(at).edge);
  if (const auto early = variables_.comes_too_early(at)) note(*early, outside_of_objects);
  if (const auto* wait = std::get_if<Await>(&what)) {
    Load load{steps_.renamed(at, wait->loaded), steps_.renamed(at, wait->address)};
    if (options_.emission.wording == Wording::exact) load.order = wait->order;
    emitter_.emit(load, steps_.edge(at).source);
    emitter_.branch(emitter_.build().negation(steps_.renamed(at, wait->condition)),
                    stop_waiting(at));
    steps_.skip(at);
  } else if (const auto* alloc = std::get_if<Alloc>(&what)) {
    allocate(at, *alloc);
  } else if (std::holds_alternative<Free>(what) && may_be_shared) {
    // It stays as it is, so what follows may be more than what happens.
    emitter_.assign(cut_, reason("memory that threads share is freed"));
    steps_.skip(at);
  } else if (std::holds_alternative<Clobber>(what) && may_be_shared) {
    emitter_.jump(cut(at, "unknown code is handed memory that threads share"));
    emitter_.go_on_at(emitter_.fresh());
  } else {
    steps_.copy(at);
  }
}

void MuProgram::end(StepRef at) {
  const auto* unsupported = std::get_if<Unsupported>(&steps_.edge(at).statement);
  if (unsupported != nullptr) return emitter_.jump(cut(at, unsupported->what));
  // What others do after the end of the process they might as well do while this thread has
  // stopped just before it, so the step stands for nothing.
  const auto* exit = std::get_if<Exit>(&steps_.edge(at).statement);
  const bool process = exit != nullptr ? exit->scope != ExitScope::thread : at.thread == 0;
  if (process) return leave_for_good(at.thread, steps_.step(at).from);
  end_section(at);
  steps_.skip(at);
  if (facts_.sharedness.thread_locals_may_be_shared())
    emitter_.assign(cut_, reason("another thread may know a variable of a thread that has ended"));
  emitter_.jump(stop(at));
}

// Whether the property is about it is not known here, so it may also be nothing.
void MuProgram::fail(StepRef at, const Fail& fail) {
  const auto kind = std::find(noted_failures.begin(), noted_failures.end(), fail.kind);
  if (kind != noted_failures.end()) {
    const LocId broken = emitter_.fresh();
    emitter_.emit(Havoc{choice_});
    emitter_.branch(emitter_.value(choice_), broken);
    const LocId next = emitter_.here();
    emitter_.go_on_at(broken);
    const auto number = static_cast<std::uint64_t>(kind - noted_failures.begin()) + 1;
    const EdgeId made =
        emitter_.emit(Assign{error_, emitter_.number(int_, number)}, steps_.edge(at).source);
    emitter_.stands_for(made, steps_.origin(at));
    end_section(at);
    emitter_.jump(stop(at));
    emitter_.go_on_at(next);
  }
  steps_.skip(at);
  go_on(at);
}

}  // namespace heddle::sequentialize
