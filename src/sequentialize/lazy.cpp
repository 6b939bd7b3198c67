#include "sequentialize/lazy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "passes/operands.hpp"
#include "sequentialize/conflicts.hpp"
#include "sequentialize/thread_emitter.hpp"

namespace heddle::sequentialize {

using namespace ir;

namespace {

class Lazy {
 public:
  Lazy(const Program& program, const Facts& facts, const LazyOptions& options)
      : program_(program),
        facts_(facts),
        options_(options),
        threads_(expand_threads(program, facts.points_to, options.limits)),
        conflicts_(program, facts.futures, threads_),
        emitter_(program),
        steps_(emitter_, program, threads_, options.emission),
        int_(emitter_.build().int_type(32, true)),
        bool_(emitter_.build().bool_type()),
        mask_(emitter_.build().int_type(64, false)) {}

  Sequential run() {
    number_switch_points();
    declare();
    finish_ = emitter_.fresh();
    start_main();
    const LocId head = emitter_.fresh();
    emitter_.jump(head);
    begin_round();
    if (options_.scheduler == Scheduler::next_thread) choose_thread();
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
      turn(thread);
      block(thread);
      publish(thread);
      emitter_.go_on_at(places_[thread].stop);
    }
    end_round(head);
    emitter_.go_on_at(finish_);
    emitter_.emit(Return{emitter_.number(int_, 0)});
    std::vector<std::string> routines;
    for (const ThreadCode& code : threads_) routines.push_back(code.routine);
    return std::move(emitter_).finish(std::move(routines), counters_);
  }

 private:
  // ---- where another thread may go on --------------------------------------------

  const Statement& statement(const ThreadCode& code, StepIndex step) const {
    return program_.edge(code.steps[step].edge).statement;
  }

  // The next step of the thread may be noticed by others, or notices them.
  bool is_visible(const ThreadCode& code, const CodePoint& point) const {
    if (point.out.empty()) return false;
    const Statement& next = statement(code, point.out[0]);
    if (point.out.size() == 1 && std::holds_alternative<Assume>(next)) return true;
    if (const auto* exit = std::get_if<Exit>(&next)) return exit->scope != ExitScope::thread;
    if (std::holds_alternative<Atomic>(next)) return true;
    if (!passes::accessed_address(next)) return false;
    return facts_.sharedness.may_be_shared(code.steps[point.out[0]].edge);
  }
  // What comes next may stop this thread or everybody, so others may go on whatever they touch.
  bool always_counts(ThreadIndex thread, PointIndex at) const {
    if (options_.conflicts == Switch::off || conflicts_.may_stop(thread, at)) return true;
    const ThreadCode& code = threads_[thread];
    const Statement& next = statement(code, code.points[at].out[0]);
    return !passes::accessed_address(next) && !std::holds_alternative<Atomic>(next);
  }

  void number_switch_points() {
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
  bool stops_before(const ThreadCode& code, PointIndex at) const {
    const CodePoint& point = code.points[at];
    if (at == code.entry) return true;
    if (point.out.empty()) return false;
    const bool waits = std::holds_alternative<Await>(statement(code, point.out[0]));
    if (point.atomic_depth > 0) return waits;
    return options_.join_local == Switch::off || is_visible(code, point);
  }
  // Steps that go back in the order of the text would make loops with many entries of a block that
  // can be entered anywhere; they go by way of the program counter instead.
  void find_backward_steps(ThreadIndex thread) {
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
  static std::vector<PointIndex> order_of(const ThreadCode& code) {
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

  // ---- the scheduler -------------------------------------------------------------

  void declare() {
    const auto count = static_cast<ThreadIndex>(threads_.size());
    if (options_.pc == PcForm::array) {
      Global pcs;
      pcs.name = "pc";
      pcs.type = emitter_.build().array_of(int_, count);
      pcs_ = emitter_.build().add_global(std::move(pcs));
      pc_seen_ = emitter_.scalar("pc_seen", int_);
    }
    for (ThreadIndex thread = 0; thread < count; ++thread) {
      Places& at = places_[thread];
      if (options_.pc == PcForm::scalar) at.pc = emitter_.scalar(fmt::format("pc{}", thread), int_);
      at.self = emitter_.scalar(fmt::format("id{}", thread), int_);
      if (options_.conflicts == Switch::on) {
        at.reads = emitter_.scalar(fmt::format("will_read{}", thread), mask_);
        at.writes = emitter_.scalar(fmt::format("will_write{}", thread), mask_);
      }
      at.arrive.resize(threads_[thread].points.size());
      at.resume.resize(threads_[thread].points.size());
      at.back.resize(threads_[thread].points.size());
      if (justifies()) {
        at.read_since = emitter_.scalar(fmt::format("read_since{}", thread), mask_);
        at.written_since = emitter_.scalar(fmt::format("written_since{}", thread), mask_);
      }
      at.stop = emitter_.fresh();
      at.over = emitter_.fresh();
    }
    if (justifies()) {
      turn_reads_ = emitter_.scalar("turn_reads", mask_);
      turn_writes_ = emitter_.scalar("turn_writes", mask_);
    }
    created_ = emitter_.scalar("threads_created", int_);
    moved_ = emitter_.scalar("somebody_moved", bool_);
    choice_ = emitter_.scalar("choice", bool_);
    if (options_.rounds) round_ = emitter_.scalar("round", int_);
    if (options_.scheduler == Scheduler::statements)
      left_ = emitter_.scalar("statements_left", emitter_.build().int_type(32, false));
    if (options_.scheduler == Scheduler::next_thread) next_ = emitter_.scalar("next_thread", int_);
  }

  void start_main() {
    for (ThreadIndex thread = 1; thread < threads_.size(); ++thread) {
      set_pc(thread, 0);
      if (options_.conflicts == Switch::on) set_future(thread, {});
    }
    set_pc(0, 1);
    if (justifies())
      for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) may_go_on(thread);
    if (options_.conflicts == Switch::on) set_future(0, conflicts_.future(0, threads_[0].entry));
    emitter_.assign(places_[0].self, 1);
    emitter_.assign(created_, 1);
    for (ThreadIndex thread = 1; thread < threads_.size(); ++thread)
      emitter_.assign(places_[thread].self, 0);
    if (options_.rounds) emitter_.assign(round_, 0);
  }

  void begin_round() {
    if (options_.markers == Switch::on) check_invariants();
    emitter_.assign(moved_, 0);
  }

  void end_round(LocId head) {
    emitter_.assume(emitter_.value(moved_));
    ExprId running = running_somebody();
    const LocId again = emitter_.fresh();
    emitter_.branch(running, again);
    emitter_.jump(finish_);
    emitter_.go_on_at(again);
    if (options_.rounds) {
      ProgramBuilder& build = emitter_.build();
      emitter_.assign(round_,
                      build.binary(Op::add, emitter_.value(round_), emitter_.number(int_, 1)));
      const LocId beyond = emitter_.fresh();
      emitter_.branch(emitter_.equals(round_, *options_.rounds), beyond);
      emitter_.jump(head);
      emitter_.go_on_at(beyond);
      emitter_.bound(fmt::format("more than {} rounds", *options_.rounds));
      return;
    }
    emitter_.jump(head);
  }
  ExprId running_somebody() {
    ProgramBuilder& build = emitter_.build();
    ExprId sum = pc(0);
    for (ThreadIndex thread = 1; thread < threads_.size(); ++thread) {
      if (options_.pc == PcForm::array) {
        const RegId so_far = emitter_.scalar("pcs_seen", int_);
        emitter_.assign(so_far, sum);
        sum = build.binary(Op::bit_or, emitter_.value(so_far), pc(thread));
      } else {
        sum = build.binary(Op::bit_or, sum, pc(thread));
      }
    }
    return build.binary(Op::ne, sum, emitter_.number(int_, 0));
  }

  // Numbers out of range, and threads that nobody has started, are faults of ours.
  void check_invariants() {
    ProgramBuilder& build = emitter_.build();
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
      const ExprId now = pc(thread);
      const ExprId last = emitter_.number(int_, places_[thread].last);
      const LocId broken = emitter_.fresh();
      emitter_.branch(build.binary(Op::lt, now, emitter_.number(int_, 0)), broken);
      emitter_.branch(build.binary(Op::lt, last, now), broken);
      const LocId after = emitter_.here();
      mark(broken, fmt::format("sequentialization error: pc{} is out of range", thread));
      emitter_.go_on_at(after);
    }
    const ExprId count = emitter_.number(int_, threads_.size());
    const LocId broken = emitter_.fresh();
    emitter_.branch(build.binary(Op::lt, count, emitter_.value(created_)), broken);
    const LocId after = emitter_.here();
    mark(broken, "sequentialization error: more threads than there are");
    emitter_.go_on_at(after);
  }
  void mark(LocId at, std::string text) {
    emitter_.go_on_at(at);
    emitter_.emit(Fail{FailKind::error_call, std::move(text)});
    emitter_.emit(Exit{ExitScope::abnormal});
  }

  void choose_thread() { emitter_.emit(Havoc{next_, threads_.size()}); }

  // ---- program counters ----------------------------------------------------------

  ExprId pc_address(ThreadIndex thread) {
    ProgramBuilder& build = emitter_.build();
    const ExprId first = build.cast(build.pointer_to(int_), build.global_address(pcs_));
    return build.ptr_add(first, build.constant(build.int_type(64, true), thread));
  }
  // The value now; in an array it has to be read first.
  ExprId pc(ThreadIndex thread) {
    if (options_.pc == PcForm::scalar) return emitter_.value(places_[thread].pc);
    emitter_.emit(Load{pc_seen_, pc_address(thread)});
    return emitter_.value(pc_seen_);
  }
  void set_pc(ThreadIndex thread, std::uint32_t number) {
    if (options_.pc == PcForm::scalar) return emitter_.assign(places_[thread].pc, number);
    emitter_.emit(Store{pc_address(thread), emitter_.number(int_, number)});
  }
  void set_future(ThreadIndex thread, Future future) {
    emitter_.assign(places_[thread].reads, future.reads);
    emitter_.assign(places_[thread].writes, future.writes);
  }

  // ---- what others have done since a thread stopped ------------------------------

  // Whoever stops before an access could as well go on if nobody conflicts with it meanwhile: that
  // is another execution, with fewer switches. One step a turn leaves no choice to go on.
  bool justifies() const {
    return options_.conflicts == Switch::on && options_.justified == Switch::on &&
           options_.scheduler != Scheduler::next_thread;
  }
  void may_go_on(ThreadIndex thread) {
    emitter_.assign(places_[thread].read_since, ~std::uint64_t{0});
    emitter_.assign(places_[thread].written_since, ~std::uint64_t{0});
  }
  void add(RegId to, ExprId bits) {
    emitter_.assign(to, emitter_.build().binary(Op::bit_or, emitter_.value(to), bits));
  }
  // The thread makes the accesses that come next.
  void note_accesses(ThreadIndex thread, PointIndex point) {
    const Future next = conflicts_.next(thread, point);
    if (next.reads != 0) add(turn_reads_, emitter_.number(mask_, next.reads));
    if (next.writes != 0) add(turn_writes_, emitter_.number(mask_, next.writes));
  }
  // At the end of a turn.
  void publish(ThreadIndex thread) {
    emitter_.go_on_at(places_[thread].over);
    for (ThreadIndex other = 0; justifies() && other < threads_.size(); ++other) {
      if (other == thread) continue;
      add(places_[other].read_since, emitter_.value(turn_reads_));
      add(places_[other].written_since, emitter_.value(turn_writes_));
    }
    emitter_.jump(places_[thread].stop);
  }
  void assume_conflict(ThreadIndex thread, Future next) {
    ProgramBuilder& build = emitter_.build();
    const Places& at = places_[thread];
    const ExprId read = build.binary(Op::bit_and, emitter_.value(at.read_since),
                                     emitter_.number(mask_, next.writes));
    const ExprId written = build.binary(Op::bit_and, emitter_.value(at.written_since),
                                        emitter_.number(mask_, next.reads | next.writes));
    emitter_.assume(
        build.binary(Op::ne, build.binary(Op::bit_or, read, written), emitter_.number(mask_, 0)));
  }

  // ---- a thread's turn -----------------------------------------------------------

  void turn(ThreadIndex thread) {
    Places& at = places_[thread];
    const ThreadCode& code = threads_[thread];
    for (PointIndex point = 0; point < code.points.size(); ++point) {
      at.resume[point] = emitter_.fresh();
      at.arrive[point] = at.numbers[point] != 0 ? emitter_.fresh() : at.resume[point];
      at.back[point] = at.is_target[point] != 0 ? emitter_.fresh() : LocId::none();
    }
    ProgramBuilder& build = emitter_.build();
    if (options_.scheduler == Scheduler::next_thread)
      emitter_.branch(emitter_.differs(next_, thread), at.stop);
    const ExprId now = pc(thread);
    const auto is = [&](std::uint32_t number) {
      return build.binary(Op::eq, now, emitter_.number(int_, number));
    };
    emitter_.branch(is(0), at.stop);
    choose_to_run(thread);
    emitter_.assign(moved_, 1);
    if (justifies()) {
      emitter_.assign(turn_reads_, 0);
      emitter_.assign(turn_writes_, 0);
    }
    at.dispatch = emitter_.fresh();
    emitter_.jump(at.dispatch);
    if (options_.pc == PcForm::array) pc(thread);
    const LocId dispatch = emitter_.here();
    for (PointIndex point = 0; point < code.points.size(); ++point) {
      if (at.numbers[point] == 0) continue;
      emitter_.go_on_at(dispatch);
      if (!is_guarded(thread, point) || !justifies()) {
        emitter_.emit_to(at.resume[point], Assume{is(at.numbers[point])});
        continue;
      }
      ++counters_.justified;
      emitter_.emit(Assume{is(at.numbers[point])});
      assume_conflict(thread, conflicts_.next(thread, point));
      emitter_.jump(at.resume[point]);
    }
  }
  void choose_to_run(ThreadIndex thread) {
    switch (options_.scheduler) {
      case Scheduler::rounds: {
        emitter_.emit(Havoc{choice_});
        emitter_.branch(emitter_.build().negation(emitter_.value(choice_)), places_[thread].stop);
        break;
      }
      case Scheduler::statements:
        emitter_.emit(Havoc{left_, places_[thread].last + std::uint64_t{1}});
        emitter_.branch(emitter_.equals(left_, 0), places_[thread].stop);
        break;
      case Scheduler::next_thread:
        break;
    }
  }

  // The thread comes to a place where it may stop.
  void arrive(ThreadIndex thread, PointIndex point) {
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
    if (is_guarded(thread, point)) {
      ++counters_.guarded;
      ask_others(thread, conflicts_.next(thread, point), at.resume[point]);
    }
    choose_to_stop(stop);
    emitter_.jump(at.resume[point]);
    emitter_.go_on_at(stop);
    stop_at(thread, point);
  }
  // It stops there only while another one may still conflict.
  bool is_guarded(ThreadIndex thread, PointIndex point) const {
    const ThreadCode& code = threads_[thread];
    return options_.conflicts == Switch::on && code.points[point].atomic_depth == 0 &&
           point != code.entry && stops_before(code, point) && !always_counts(thread, point);
  }
  // The thread comes to a place by a backward step. Whatever it did on the way, others may go on:
  // if it never leaves the loop, nobody else would ever be asked.
  void come_back(ThreadIndex thread, PointIndex point) {
    const Places& at = places_[thread];
    emitter_.go_on_at(at.back[point]);
    if (threads_[thread].points[point].atomic_depth == 0) {
      const LocId stop = emitter_.fresh(), go_on = emitter_.fresh();
      choose_to_stop(stop);
      emitter_.jump(go_on);
      emitter_.go_on_at(stop);
      if (justifies()) may_go_on(thread);
      park(thread, point);
      emitter_.go_on_at(go_on);
    }
    if (justifies()) may_go_on(thread);
    set_pc(thread, at.numbers[point]);
    emitter_.jump(at.dispatch);
  }
  // Goes to `resume` where no other thread may conflict with what comes next.
  void ask_others(ThreadIndex thread, Future next, LocId resume) {
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
  void choose_to_stop(LocId stop) {
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
  void stop_at(ThreadIndex thread, PointIndex point) {
    if (justifies() && is_guarded(thread, point)) {
      emitter_.assign(places_[thread].read_since, 0);
      emitter_.assign(places_[thread].written_since, 0);
    }
    park(thread, point);
  }
  void park(ThreadIndex thread, PointIndex point) {
    set_pc(thread, places_[thread].numbers[point]);
    if (options_.conflicts == Switch::on) set_future(thread, conflicts_.future(thread, point));
    emitter_.jump(places_[thread].over);
  }
  void end_thread(ThreadIndex thread) {
    set_pc(thread, 0);
    if (options_.conflicts == Switch::on) set_future(thread, {});
    emitter_.jump(places_[thread].over);
  }

  // ---- a thread's statements -----------------------------------------------------

  void block(ThreadIndex thread) {
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

  void execute(ThreadIndex thread, PointIndex point) {
    const ThreadCode& code = threads_[thread];
    const CodePoint& known = code.points[point];
    if (waits_in_section(code, known)) await_in_section(thread, point);
    emitter_.go_on_at(places_[thread].resume[point]);
    if (justifies() && places_[thread].numbers[point] != 0) note_accesses(thread, point);
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
  LocId entry(ThreadIndex thread, PointIndex from, PointIndex to) const {
    const Places& at = places_[thread];
    return at.position[to] <= at.position[from] ? at.back[to] : at.arrive[to];
  }
  void go_on(StepRef at) {
    const CodeStep& step = steps_.step(at);
    emitter_.jump(entry(at.thread, step.from, step.to));
  }
  bool waits_in_section(const ThreadCode& code, const CodePoint& point) const {
    return point.atomic_depth > 0 && !point.out.empty() &&
           std::holds_alternative<Await>(statement(code, point.out[0]));
  }

  void call(ThreadIndex thread, const CodePoint& point) {
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

  void step(StepRef at) {
    const Statement& what = steps_.edge(at).statement;
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
    } else {
      steps_.copy(at);
    }
    go_on(at);
  }

  void end(StepRef at) {
    const Statement& what = steps_.edge(at).statement;
    if (std::holds_alternative<Unsupported>(what)) return steps_.copy(at);
    const auto* exit = std::get_if<Exit>(&what);
    steps_.skip(at);
    const bool process = exit != nullptr ? exit->scope != ExitScope::thread : at.thread == 0;
    if (process) return emitter_.jump(finish_);
    end_thread(at.thread);
  }

  void load_awaited(StepRef at, const Await& wait) {
    Load load{steps_.renamed(at, wait.loaded), steps_.renamed(at, wait.address)};
    if (options_.emission.wording == Wording::exact) load.order = wait.order;
    emitter_.emit(load, steps_.edge(at).source);
  }
  void await(StepRef at, const Await& wait) {
    load_awaited(at, wait);
    const EdgeId passed =
        emitter_.emit(Assume{steps_.renamed(at, wait.condition)}, steps_.edge(at).source);
    emitter_.stands_for(passed, steps_.origin(at));
  }
  // Others run on while the section waits; otherwise it goes on at once.
  void await_in_section(ThreadIndex thread, PointIndex point) {
    const StepRef at{thread, threads_[thread].points[point].out[0]};
    const auto& wait = std::get<Await>(steps_.edge(at).statement);
    emitter_.go_on_at(places_[thread].arrive[point]);
    load_awaited(at, wait);
    const LocId passed = emitter_.fresh(), blocked = emitter_.fresh();
    const ExprId condition = steps_.renamed(at, wait.condition);
    const LocId start = emitter_.here();
    const EdgeId taken = emitter_.emit_to(passed, Assume{condition}, steps_.edge(at).source);
    emitter_.stands_for(taken, steps_.origin(at));
    go_on(at);
    emitter_.go_on_at(start);
    emitter_.emit_to(blocked, Assume{emitter_.build().negation(condition)}, steps_.edge(at).source);
    stop_at(thread, point);
  }

  // ---- threads that start --------------------------------------------------------

  void start(StepRef at, const Spawn& spawn) {
    const std::vector<Start>& starts = *threads_[at.thread].starts_of(at.step);
    std::vector<FunId> routines;
    for (const Start& start : starts) routines.push_back(start.routine);
    for (const auto& candidate : steps_.choose_function(at, spawn.routine, routines)) {
      emitter_.go_on_at(candidate.at);
      start_one_of(at, spawn, starts[candidate.index]);
    }
  }
  // The first that has not been started yet.
  void start_one_of(StepRef at, const Spawn& spawn, const Start& start) {
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
  void start_thread(StepRef at, const Spawn& spawn, ThreadIndex thread) {
    ProgramBuilder& build = emitter_.build();
    const base::SourceRange source = steps_.edge(at).source;
    const Function& routine = program_.function(threads_[thread].frames[0].function);
    if (!routine.parameters.empty()) {
      const RegId parameter = routine.parameters[0];
      emitter_.assign(emitter_.rename(thread, 0, parameter),
                      build.cast(program_.reg(parameter).type, steps_.renamed(at, spawn.argument)),
                      source);
    }
    emitter_.assign(created_,
                    build.binary(Op::add, emitter_.value(created_), emitter_.number(int_, 1)),
                    source);
    emitter_.assign(places_[thread].self, emitter_.value(created_), source);
    set_pc(thread, 1);
    if (options_.conflicts == Switch::on)
      set_future(thread, conflicts_.future(thread, threads_[thread].entry));
    const RegId to = steps_.renamed(at, spawn.number);
    const TypeId type = build.view().reg(to).type;
    const EdgeId last =
        emitter_.emit(Assign{to, build.cast(type, emitter_.value(created_))}, source);
    Origin origin = steps_.origin(at);
    origin.starts = thread;
    emitter_.stands_for(last, origin);
    go_on(at);
  }

  struct Places {
    std::vector<std::uint32_t> numbers{};  // by PointIndex: of a place to stop at; else 0
    std::uint32_t last = 0;
    std::vector<LocId> arrive{};            // by PointIndex: the thread comes there and may stop
    std::vector<LocId> resume{};            // by PointIndex: it goes on
    std::vector<LocId> back{};              // by PointIndex: it comes back there
    LocId dispatch{};                       // goes on where the program counter says
    std::vector<PointIndex> order{};        // of the text
    std::vector<std::uint32_t> position{};  // by PointIndex: in that order
    std::vector<char> is_target{};          // by PointIndex: of a backward step
    LocId over{};                           // it has run, and its turn is over
    LocId stop{};                           // the turn of the next
    RegId pc{};                             // 0 while the thread does not run
    RegId self{};                           // its number + 1; 0 before it is started
    RegId reads{}, writes{};                // what it may still touch
    RegId read_since{}, written_since{};    // what others did since it stopped
  };

  const Program& program_;
  const Facts& facts_;
  const LazyOptions& options_;
  std::vector<ThreadCode> threads_;
  Conflicts conflicts_;
  Emitter emitter_;
  ThreadEmitter steps_;
  TypeId int_, bool_, mask_;
  std::vector<Places> places_{};
  GlobalId pcs_{};
  RegId turn_reads_{}, turn_writes_{};
  RegId pc_seen_{}, created_{}, moved_{}, choice_{}, round_{}, left_{}, next_{};
  LocId finish_{};
  Counters counters_{};
};

}  // namespace

Sequential sequentialize_lazily(const Program& program, const Facts& facts,
                                const LazyOptions& options) {
  return Lazy(program, facts, options).run();
}

}  // namespace heddle::sequentialize
