#include "sequentialize/mu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "sequentialize/mu_access.hpp"
#include "sequentialize/mu_cells.hpp"
#include "sequentialize/mu_memory.hpp"
#include "sequentialize/mu_private.hpp"
#include "sequentialize/thread_emitter.hpp"

namespace heddle::sequentialize {

using namespace ir;

namespace {

ExpansionLimits one_copy(ExpansionLimits limits) {
  limits.copies_a_spawn = 1;
  return limits;
}

constexpr std::array fail_kinds{FailKind::error_call, FailKind::assertion, FailKind::overflow};

class Unwinder {
 public:
  Unwinder(const Program& program, const Facts& facts, const MuOptions& options)
      : program_(program),
        facts_(facts),
        options_(options),
        threads_(expand_threads(program, facts.points_to, one_copy(options.limits))),
        privates_(program, threads_, options.fresh_blocks),
        cells_(program, facts.points_to, facts.sharedness, threads_, privates_, options),
        emitter_(program),
        steps_(emitter_, program, threads_, options.emission),
        int_(number_type(emitter_.build())),
        bool_(emitter_.build().bool_type()),
        registers_(declare()),
        memory_(make_memory(emitter_, cells_.cells(), options, registers_)),
        accesses_(emitter_, program, steps_, cells_, *memory_, touched_) {}

  Sequential run() {
    begin();
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
      for (PointIndex point = 0; point < threads_[thread].points.size(); ++point) {
        const std::vector<StepIndex>& out = threads_[thread].points[point].out;
        if (!out.empty()) emitter_.note(steps_.note({thread, out[0]}));
        execute(thread, point);
        emitter_.note(std::nullopt);
      }
      emit_full(thread);
      if (thread != 0) emit_return(thread);
    }
    for (const auto& [from, to] : first_starts_) {
      emitter_.go_on_at(from);
      memory_->guess();
      emitter_.assign(guessed_, 1);
      emitter_.jump(to);
    }
    emit_cuts();
    finish();
    std::vector<std::string> routines;
    for (const ThreadCode& code : threads_) routines.push_back(code.routine);
    Sequential result = std::move(emitter_).finish(std::move(routines), counters_);
    for (const MuThread& thread : registers_)
      result.positions.push_back({thread.self, thread.at, thread.phase});
    return result;
  }

 private:
  // ---- registers and places ------------------------------------------------------

  std::vector<MuThread> declare() {
    std::vector<MuThread> result;
    const TypeId position = position_type(emitter_.build());
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
      MuThread known;
      known.self = emitter_.scalar(fmt::format("id{}", thread), int_);
      known.at = emitter_.scalar(fmt::format("position{}", thread), position);
      known.phase = emitter_.scalar(fmt::format("phase{}", thread), bool_);
      known.starting = emitter_.scalar(fmt::format("starting{}", thread), bool_);
      result.push_back(known);
      touched_.push_back(emitter_.scalar(fmt::format("touched{}", thread), bool_));
      back_.push_back(emitter_.scalar(fmt::format("back{}", thread), int_));
      Places places;
      for (std::size_t i = 0; i < threads_[thread].points.size(); ++i)
        places.points.push_back(emitter_.fresh());
      declare_rounds(thread);
      places.stop = emitter_.fresh();
      places.full = emitter_.fresh();
      places_.push_back(std::move(places));
      counters_.steps += threads_[thread].points.size();
    }
    counters_.threads = threads_.size();
    counters_.joined = cells_.direct_accesses();
    created_ = emitter_.scalar("threads_created", int_);
    error_ = emitter_.scalar("error", int_);
    cut_ = emitter_.scalar("cut", int_);
    void_ = emitter_.scalar("inside_for_good", bool_);
    choice_ = emitter_.scalar("choice", bool_);
    guessed_ = emitter_.scalar("guessed", bool_);
    alone_ = emitter_.fresh();
    return result;
  }

  void declare_rounds(ThreadIndex thread) {
    std::map<PointIndex, RegId>& rounds = rounds_.emplace_back();
    const std::vector<CodePoint>& points = threads_[thread].points;
    for (PointIndex point = 0; options_.rounds > 0 && point < points.size(); ++point)
      if (points[point].loop_head && concurrent(thread, point) && loop_touches_cells(thread, point))
        rounds.emplace(point, emitter_.scalar(fmt::format("rounds{}", thread), int_));
  }

  // Loops of which nobody else can tell cost little, however often they go round.
  bool loop_touches_cells(ThreadIndex thread, PointIndex head) const {
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
    for (const auto& steps : into)
      for (const StepIndex id : steps)
        if (after[code.steps[id].from] != 0 && before[code.steps[id].to] != 0 &&
            !cells_.access(thread, id).direct)
          return true;
    return false;
  }

  void begin() {
    reset_rounds(0);
    emitter_.assign(registers_[0].self, 1);
    emitter_.assign(created_, 1);
    for (const RegId reg : {error_, cut_, void_, guessed_}) emitter_.assign(reg, 0);
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
      emitter_.assign(registers_[thread].at, 0);
      emitter_.assign(registers_[thread].phase, 0);
      emitter_.assign(registers_[thread].starting, 0);
      emitter_.assign(touched_[thread], 0);
    }
    emitter_.jump(places_[0].points[threads_[0].entry]);
  }

  bool concurrent(ThreadIndex thread, PointIndex at) const {
    return privates_.concurrent(thread, at);
  }
  LocId stop(ThreadIndex thread, PointIndex at) const {
    return concurrent(thread, at) ? places_[thread].stop : alone_;
  }
  LocId stop(StepRef at) const { return stop(at.thread, steps_.step(at).from); }
  std::uint32_t depth(StepRef at) const {
    return threads_[at.thread].points[steps_.step(at).from].atomic_depth;
  }
  // From one point to another; the unwinding is guessed where main may start a thread from now on.
  LocId way(ThreadIndex thread, PointIndex from, PointIndex to) {
    const LocId there = places_[thread].points[to];
    if (concurrent(thread, from) || !concurrent(thread, to)) return there;
    const LocId first = emitter_.fresh();
    first_starts_.emplace_back(first, there);
    return first;
  }
  void go_on(StepRef at) {
    emitter_.jump(way(at.thread, steps_.step(at).from, steps_.step(at).to));
  }
  // Executions that go beyond what we model count once all that was guessed has been done.
  LocId cut(ThreadIndex thread, PointIndex at, std::string text) {
    const LocId place = emitter_.fresh();
    cuts_.push_back({place, reason(std::move(text)), stop(thread, at),
                     threads_[thread].points[at].atomic_depth > 0});
    return place;
  }
  LocId cut(StepRef at, std::string text) {
    return cut(at.thread, steps_.step(at).from, std::move(text));
  }
  std::uint32_t reason(std::string text) {
    const auto known = std::find(reasons_.begin(), reasons_.end(), text);
    const auto number = static_cast<std::uint32_t>(known - reasons_.begin()) + 1;
    if (known == reasons_.end()) reasons_.push_back(std::move(text));
    return number;
  }
  MuExits exits(StepRef at) {
    return {stop(at), places_[at.thread].full,
            [this](ExprId when, std::string text) { note(when, std::move(text)); }};
  }
  // The execution goes on, but nothing that follows counts.
  void note(ExprId when, std::string text) {
    const LocId beyond = emitter_.fresh(), after = emitter_.fresh();
    emitter_.branch(when, beyond);
    emitter_.jump(after);
    emitter_.go_on_at(beyond);
    emitter_.assign(cut_, reason(std::move(text)));
    emitter_.assign(void_, 1);
    emitter_.jump(after);
  }

  // ---- one place of a thread -----------------------------------------------------

  const Statement& statement(const ThreadCode& code, StepIndex step) const {
    return program_.edge(code.steps[step].edge).statement;
  }

  void execute(ThreadIndex thread, PointIndex point) {
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
  std::vector<ThreadEmitter::Candidate> choose(StepRef at, ExprId address,
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

  void count_round(ThreadIndex thread, PointIndex point) {
    ProgramBuilder& build = emitter_.build();
    const RegId rounds = rounds_[thread].at(point);
    emitter_.branch(
        build.binary(Op::le, emitter_.number(int_, options_.rounds), emitter_.value(rounds)),
        cut({thread, threads_[thread].points[point].out[0]},
            fmt::format("bound: more than {} rounds of a loop", options_.rounds)));
    emitter_.assign(rounds,
                    build.binary(Op::add, emitter_.value(rounds), emitter_.number(int_, 1)));
  }
  void reset_rounds(ThreadIndex thread) {
    for (const auto& [point, rounds] : rounds_[thread]) emitter_.assign(rounds, 0);
  }

  void may_stop(ThreadIndex thread, PointIndex point) {
    if (!concurrent(thread, point)) return;
    emitter_.emit(Havoc{choice_});
    emitter_.branch(emitter_.value(choice_), stop(thread, point));
  }
  // The thread does nothing more. Inside a section nobody else would either, so that the thread
  // has to stop before the section instead.
  void leave_for_good(ThreadIndex thread, PointIndex point) {
    if (threads_[thread].points[point].atomic_depth > 0) emitter_.assume(emitter_.number(bool_, 0));
    emitter_.jump(stop(thread, point));
  }

  void call(ThreadIndex thread, const CodePoint& point) {
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

  void step(StepRef at) {
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
    } else if (cells_.access(at.thread, at.step).direct) {
      direct(at, what);
    } else {
      shared(at, what);
    }
    go_on(at);
  }

  void set(StepRef at, RegId to, ExprId value, Origin origin) {
    ProgramBuilder& build = emitter_.build();
    const RegId known = steps_.renamed(at, to);
    const EdgeId made = emitter_.emit(
        Assign{known, build.cast(build.view().reg(known).type, value)}, steps_.edge(at).source);
    emitter_.stands_for(made, origin);
  }

  void shared(StepRef at, const Statement& what) {
    const Placing placing = depth(at) > 0 ? Placing::together : Placing::alone;
    ++counters_.switch_points;
    if (const auto* load = std::get_if<Load>(&what)) {
      accesses_.load(at, *load, placing, exits(at));
    } else if (const auto* store = std::get_if<Store>(&what)) {
      accesses_.store(at, *store, placing, exits(at));
    } else if (const auto* update = std::get_if<Update>(&what)) {
      accesses_.update(at, *update, placing, exits(at));
    } else {
      accesses_.await(at, std::get<Await>(what), placing, exits(at));
    }
  }

  // Memory and registers of which nobody else can tell.
  void direct(StepRef at, const Statement& what) {
    const bool may_be_shared = facts_.sharedness.may_be_shared(steps_.step(at).edge);
    if (const auto* wait = std::get_if<Await>(&what)) {
      Load load{steps_.renamed(at, wait->loaded), steps_.renamed(at, wait->address)};
      load.order = wait->order;
      emitter_.emit(load, steps_.edge(at).source);
      emitter_.branch(emitter_.build().negation(steps_.renamed(at, wait->condition)), stop(at));
      steps_.skip(at);
    } else if (const auto* alloc = std::get_if<Alloc>(&what)) {
      Alloc copy = *alloc;  // others may look at it after the thread has been simulated
      if (copy.kind == AllocKind::stack) copy.kind = AllocKind::frame;
      const FrameIndex frame = steps_.frame(at);
      const EdgeId made =
          emitter_.emit(emitter_.rename(at.thread, frame, std::move(copy)), steps_.edge(at).source);
      emitter_.stands_for(made, steps_.origin(at));
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
  void end(StepRef at) {
    const auto* unsupported = std::get_if<Unsupported>(&steps_.edge(at).statement);
    if (unsupported != nullptr) return emitter_.jump(cut(at, unsupported->what));
    // What others do after the end of the process they might as well do while this thread has
    // stopped just before it, so the step stands for nothing.
    const auto* exit = std::get_if<Exit>(&steps_.edge(at).statement);
    const bool process = exit != nullptr ? exit->scope != ExitScope::thread : at.thread == 0;
    if (process) return leave_for_good(at.thread, steps_.step(at).from);
    steps_.skip(at);
    emitter_.jump(stop(at));
  }

  // Whether the property is about it is not known here, so it may also be nothing.
  void fail(StepRef at, const Fail& fail) {
    const auto kind = std::find(fail_kinds.begin(), fail_kinds.end(), fail.kind);
    if (kind != fail_kinds.end()) {
      const LocId broken = emitter_.fresh();
      emitter_.emit(Havoc{choice_});
      emitter_.branch(emitter_.value(choice_), broken);
      const LocId next = emitter_.here();
      emitter_.go_on_at(broken);
      const auto number = static_cast<std::uint64_t>(kind - fail_kinds.begin()) + 1;
      const EdgeId made =
          emitter_.emit(Assign{error_, emitter_.number(int_, number)}, steps_.edge(at).source);
      emitter_.stands_for(made, steps_.origin(at));
      emitter_.jump(stop(at));
      emitter_.go_on_at(next);
    }
    steps_.skip(at);
    go_on(at);
  }

  // ---- atomic sections -----------------------------------------------------------

  void section(StepRef at, const Atomic& mark) {
    const std::uint32_t depth = this->depth(at);
    const bool counts = concurrent(at.thread, steps_.step(at).from);
    const bool begins = mark.mark == AtomicMark::begin && depth == 0;
    const bool ends = mark.mark == AtomicMark::end && depth == 1;
    if (begins && counts && may_not_end(at)) may_stop(at.thread, steps_.step(at).from);
    if (begins && counts && touches_cells(at)) {
      memory_->begin_section(at.thread);
      emitter_.assign(touched_[at.thread], 0);
    }
    if (ends && counts) memory_->end_section(at.thread);
    steps_.skip(at);
    if (ends)
      for (const ThreadIndex child : started_before(at)) run_if_pending(at, child);
    go_on(at);
  }
  template <class Visit>
  void for_each_in_section(ThreadIndex thread, PointIndex start, const Visit& visit) const {
    const ThreadCode& code = threads_[thread];
    std::set<PointIndex> seen{start};
    std::vector<PointIndex> work{start};
    while (!work.empty()) {
      const CodePoint& point = code.points[work.back()];
      work.pop_back();
      if (point.atomic_depth == 0) continue;
      for (const StepIndex id : point.out) {
        visit(id);
        const CodeStep& step = code.steps[id];
        if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
        if (seen.insert(step.to).second) work.push_back(step.to);
      }
    }
  }
  bool touches_cells(StepRef at) const {
    bool found = false;
    for_each_in_section(at.thread, steps_.step(at).to, [&](StepIndex id) {
      found = found || !cells_.access(at.thread, id).direct;
    });
    return found;
  }
  bool may_not_end(StepRef at) const {
    const ThreadCode& code = threads_[at.thread];
    bool found = false;
    for_each_in_section(at.thread, steps_.step(at).to, [&](StepIndex id) {
      const CodePoint& from = code.points[code.steps[id].from];
      const Statement& what = statement(code, id);
      const auto* exit = std::get_if<Exit>(&what);
      found = found || from.loop_head || (exit != nullptr && exit->scope != ExitScope::thread) ||
              (from.out.size() == 1 && std::holds_alternative<Assume>(what)) ||
              (code.steps[id].kind != StepKind::end && code.steps[id].kind != StepKind::cut &&
               code.points[code.steps[id].to].out.empty());
    });
    return found;
  }
  // Threads that may have been started in the section that ends here.
  std::vector<ThreadIndex> started_before(StepRef at) const {
    std::vector<ThreadIndex> result;
    for (ThreadIndex child = 1; child < threads_.size(); ++child) {
      if (threads_[child].creator != at.thread) continue;
      const CodeStep& spawn = threads_[at.thread].steps[threads_[child].created_by];
      if (threads_[at.thread].points[spawn.from].atomic_depth == 0) continue;
      bool reaches = false;
      for_each_in_section(at.thread, spawn.to,
                          [&](StepIndex id) { reaches = reaches || id == at.step; });
      if (reaches) result.push_back(child);
    }
    return result;
  }

  // ---- threads that start --------------------------------------------------------

  void start(StepRef at, const Spawn& spawn) {
    if (!concurrent(at.thread, steps_.step(at).from)) {
      memory_->guess();
      emitter_.assign(guessed_, 1);
    }
    ProgramBuilder& build = emitter_.build();
    const LocId after = places_[at.thread].points[steps_.step(at).to];
    emitter_.branch(
        build.binary(Op::le, emitter_.number(int_, options_.threads), emitter_.value(created_)),
        cut(at, fmt::format("bound: more than {} threads", options_.threads)),
        steps_.edge(at).source);
    const std::vector<Start>& starts = *threads_[at.thread].starts_of(at.step);
    std::vector<FunId> routines;
    for (const Start& start : starts) routines.push_back(start.routine);
    for (const auto& candidate : choose(at, spawn.routine, routines)) {
      emitter_.go_on_at(candidate.at);
      const Start& start = starts[candidate.index];
      if (start.threads.empty()) {
        emitter_.jump(cut(at, "bound: threads that start others like themselves"));
        continue;
      }
      start_thread(at, spawn, start.threads[0]);
      emitter_.jump(after);
    }
  }
  void start_thread(StepRef at, const Spawn& spawn, ThreadIndex thread) {
    ProgramBuilder& build = emitter_.build();
    note(emitter_.value(registers_[thread].starting),
         "bound: two threads that one statement starts in one section");
    const Function& routine = program_.function(threads_[thread].frames[0].function);
    if (!routine.parameters.empty()) {
      const RegId parameter = routine.parameters[0];
      emitter_.assign(emitter_.rename(thread, 0, parameter),
                      build.cast(program_.reg(parameter).type, steps_.renamed(at, spawn.argument)),
                      steps_.edge(at).source);
    }
    emitter_.assign(created_,
                    build.binary(Op::add, emitter_.value(created_), emitter_.number(int_, 1)));
    emitter_.assign(registers_[thread].self, emitter_.value(created_));
    emitter_.assign(registers_[thread].starting, 1);
    Origin origin = steps_.origin(at);
    origin.starts = thread;
    set(at, spawn.number, emitter_.value(created_), origin);
    if (depth(at) == 0) run_if_pending(at, thread);
  }

  void run_if_pending(StepRef at, ThreadIndex thread) {
    const LocId now = emitter_.fresh(), back = emitter_.fresh();
    emitter_.branch(emitter_.value(registers_[thread].starting), now);
    const LocId otherwise = emitter_.here();
    emitter_.go_on_at(now);
    emitter_.assign(registers_[thread].starting, 0);
    std::vector<LocId>& backs = places_[thread].back;
    emitter_.assign(back_[thread], backs.size());
    backs.push_back(back);
    emitter_.assign(touched_[thread], 0);
    memory_->start(thread, at.thread);
    renew_thread_locals(thread);
    reset_rounds(thread);
    emitter_.jump(places_[thread].points[threads_[thread].entry]);
    emitter_.go_on_at(otherwise);
    emitter_.jump(back);
  }
  // Code that stands for several threads finds its thread-local variables as at first.
  void renew_thread_locals(ThreadIndex thread) {
    ProgramBuilder& build = emitter_.build();
    const ThreadCode& creator = threads_[*threads_[thread].creator];
    if (!creator.points[creator.steps[threads_[thread].created_by].from].in_cycle &&
        !threads_[*threads_[thread].creator].creator)
      return;
    for (std::uint32_t i = 0; i < program_.globals().size(); ++i) {
      const Global& global = program_.globals()[i];
      if (global.storage != Storage::thread) continue;
      if (!program_.type(global.type).scalar() || global.initializers.size() > 1)
        throw Rejected("thread-local structures and arrays of threads started in a loop");
      const ExprId place = emitter_.rename(thread, 0, build.global_address(GlobalId{i}));
      const ExprId value = global.initializers.empty()
                               ? build.constant(global.type, 0)
                               : build.cast(global.type, global.initializers[0].value);
      emitter_.emit(Store{build.cast(build.pointer_to(global.type), place), value});
    }
  }

  void emit_return(ThreadIndex thread) {
    emitter_.go_on_at(places_[thread].stop);
    memory_->stop(thread);
    const std::vector<LocId>& backs = places_[thread].back;
    if (backs.empty()) return emitter_.assume(emitter_.number(bool_, 0));
    for (std::size_t i = 0; i + 1 < backs.size(); ++i)
      emitter_.branch(emitter_.equals(back_[thread], i), backs[i]);
    emitter_.jump(backs.back());
  }
  void emit_full(ThreadIndex thread) {
    emitter_.go_on_at(places_[thread].full);
    memory_->give_up(thread);
    const LocId place = emitter_.fresh();
    cuts_.push_back({place, reason(fmt::format("bound: more than {} writes", options_.positions)),
                     places_[thread].stop, false});
    emitter_.branch(memory_->is_full(), place);
    emitter_.jump(places_[thread].stop);
  }

  // ---- the end -------------------------------------------------------------------

  void emit_cuts() {
    for (const Cut& known : cuts_) {
      emitter_.go_on_at(known.place);
      emitter_.assign(cut_, known.reason);
      if (known.in_section) emitter_.assign(void_, 1);
      emitter_.jump(known.stop);
    }
  }

  void finish() {
    const LocId report = emitter_.fresh();
    emitter_.go_on_at(places_[0].stop);
    memory_->stop(0);
    memory_->check(emitter_.value(created_));
    emitter_.assume(memory_->is_right());
    emitter_.jump(report);
    emitter_.go_on_at(alone_);
    emitter_.jump(report);
    emitter_.go_on_at(report);
    // Others cannot go on while a thread is inside a section of which we do not know the end.
    const LocId all_ends = emitter_.fresh();
    emitter_.branch(emitter_.build().negation(emitter_.value(void_)), all_ends);
    emitter_.assign(error_, 0);
    emitter_.jump(all_ends);
    for (std::size_t i = 0; i < fail_kinds.size(); ++i) {
      const LocId broken = emitter_.fresh();
      emitter_.branch(emitter_.equals(error_, i + 1), broken);
      const LocId next = emitter_.here();
      emitter_.go_on_at(broken);
      emitter_.emit(Fail{fail_kinds[i], "an error of the concurrent program"});
      emitter_.emit(Exit{ExitScope::abnormal});
      emitter_.go_on_at(next);
    }
    for (std::size_t i = 0; i < reasons_.size(); ++i) {
      const LocId reached = emitter_.fresh();
      emitter_.branch(emitter_.equals(cut_, i + 1), reached);
      const LocId next = emitter_.here();
      emitter_.go_on_at(reached);
      emitter_.emit(Unsupported{reasons_[i]});
      emitter_.go_on_at(next);
    }
    if (!memory_->notices_its_end()) {
      const LocId more = emitter_.fresh();
      emitter_.branch(emitter_.value(guessed_), more);
      const LocId next = emitter_.here();
      emitter_.go_on_at(more);
      emitter_.bound(fmt::format("more than {} groups of writes", options_.positions));
      emitter_.go_on_at(next);
    }
    emitter_.emit(Return{emitter_.number(int_, 0)});
  }

  struct Places {
    std::vector<LocId> points{};  // by PointIndex
    LocId stop{}, full{};
    std::vector<LocId> back{};  // where the creator goes on, by number
  };
  struct Cut {
    LocId place{};
    std::uint32_t reason = 0;  // into reasons_, from 1 on
    LocId stop{};
    bool in_section = false;
  };

  const Program& program_;
  const Facts& facts_;
  const MuOptions& options_;
  std::vector<ThreadCode> threads_;
  PrivateAccesses privates_;
  MuCells cells_;
  Emitter emitter_;
  ThreadEmitter steps_;
  TypeId int_, bool_;
  std::vector<RegId> touched_{}, back_{};              // by ThreadIndex
  std::vector<std::map<PointIndex, RegId>> rounds_{};  // by ThreadIndex: of each loop's head
  std::vector<Places> places_{};
  RegId created_{}, error_{}, cut_{}, void_{}, choice_{}, guessed_{};
  LocId alone_{};
  Counters counters_{};
  std::vector<MuThread> registers_;
  std::unique_ptr<MuMemory> memory_;
  MuAccesses accesses_;
  std::vector<std::string> reasons_{};
  std::vector<Cut> cuts_{};
  std::vector<std::pair<LocId, LocId>> first_starts_{};
};

}  // namespace

Sequential sequentialize_by_unwinding(const Program& program, const Facts& facts,
                                      const MuOptions& options) {
  CHECK(options.variant != MuVariant::in_turn, "one program has one variant");
  return Unwinder(program, facts, options).run();
}

}  // namespace heddle::sequentialize
