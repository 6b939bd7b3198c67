#include "sequentialize/lazy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sequentialize/lazy_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

LazyProgram::LazyProgram(const Program& program, const Facts& facts, const LazyOptions& options)
    : program_(program),
      facts_(facts),
      options_(options),
      threads_(expand_threads(program, facts.points_to, options.limits)),
      conflicts_(program, facts.futures, threads_),
      emitter_(program),
      steps_(emitter_, program, threads_, options.emission),
      variables_(emitter_, program, steps_),
      int_(emitter_.build().int_type(32, true)),
      bool_(emitter_.build().bool_type()),
      mask_(emitter_.build().int_type(64, false)) {}

Sequential LazyProgram::run() {
  number_switch_points();
  declare();
  keep_variables();
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

// ---- the scheduler --------------------------------------------------------------

void LazyProgram::declare() {
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
      if (std::ranges::count(at.begins_waiting, 1) > 0)
        at.section_goes_on = emitter_.scalar(fmt::format("section_goes_on{}", thread), bool_);
    }
    declare_lives(thread);
    at.stop = emitter_.fresh();
    at.over = emitter_.fresh();
  }
  if (justifies()) {
    turn_reads_ = emitter_.scalar("turn_reads", mask_);
    turn_writes_ = emitter_.scalar("turn_writes", mask_);
    section_reads_ = emitter_.scalar("section_reads", mask_);
    section_writes_ = emitter_.scalar("section_writes", mask_);
    comes_back_ = emitter_.scalar("comes_back", bool_);
  }
  created_ = emitter_.scalar("threads_created", int_);
  moved_ = emitter_.scalar("somebody_moved", bool_);
  choice_ = emitter_.scalar("choice", bool_);
  if (options_.rounds) round_ = emitter_.scalar("round", int_);
  if (options_.scheduler == Scheduler::statements)
    left_ = emitter_.scalar("statements_left", emitter_.build().int_type(32, false));
  if (options_.scheduler == Scheduler::next_thread) next_ = emitter_.scalar("next_thread", int_);
}

void LazyProgram::start_main() {
  variables_.declare();
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
  begin_without_lives();
}

void LazyProgram::begin_round() { emitter_.assign(moved_, 0); }

void LazyProgram::end_round(LocId head) {
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

ExprId LazyProgram::running_somebody() {
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

// What holds before a thread's turn, unless the sequentialization itself is broken.
void LazyProgram::check_invariants(ThreadIndex thread) {
  ProgramBuilder& build = emitter_.build();
  const Places& at = places_[thread];
  const ExprId created = emitter_.value(created_);
  never(build.binary(Op::lt, emitter_.number(int_, threads_.size()), created),
        "more threads were started than there are");
  never(build.binary(Op::lt, created, emitter_.value(at.self)),
        fmt::format("thread {} has a number that nobody has given out", thread));
  const ExprId rests = build.binary(Op::eq, pc(thread), emitter_.number(int_, 0));
  never(emitter_.both(build.negation(rests), emitter_.equals(at.self, 0)),
        fmt::format("thread {} runs, but nobody has started it", thread));
  if (options_.conflicts == Switch::off) return;
  const ExprId touches =
      build.binary(Op::bit_or, emitter_.value(at.reads), emitter_.value(at.writes));
  never(emitter_.both(rests, build.truth(touches)),
        fmt::format("thread {} does not run, but may still touch memory", thread));
}

// Else no place to go on fits, and the execution would end unseen.
void LazyProgram::check_range(ThreadIndex thread, ExprId now) {
  ProgramBuilder& build = emitter_.build();
  never(build.binary(Op::lt, now, emitter_.number(int_, 1)),
        fmt::format("pc{} is before the first place", thread));
  never(build.binary(Op::lt, emitter_.number(int_, places_[thread].last), now),
        fmt::format("pc{} is beyond the last place", thread));
}

void LazyProgram::never(ExprId fault, const std::string& text) {
  const LocId broken = emitter_.fresh();
  emitter_.branch(fault, broken);
  const LocId after = emitter_.here();
  emitter_.go_on_at(broken);
  emitter_.emit(Fail{FailKind::error_call, "sequentialization error: " + text});
  emitter_.emit(Exit{ExitScope::abnormal});
  emitter_.go_on_at(after);
}

void LazyProgram::choose_thread() { emitter_.emit(Havoc{next_, threads_.size()}); }

// ---- program counters -----------------------------------------------------------

ExprId LazyProgram::pc_address(ThreadIndex thread) {
  ProgramBuilder& build = emitter_.build();
  const ExprId first = build.cast(build.pointer_to(int_), build.global_address(pcs_));
  return build.ptr_add(first, build.constant(build.int_type(64, true), thread));
}

// The value now; in an array it has to be read first.
ExprId LazyProgram::pc(ThreadIndex thread) {
  if (options_.pc == PcForm::scalar) return emitter_.value(places_[thread].pc);
  emitter_.emit(Load{pc_seen_, pc_address(thread)});
  return emitter_.value(pc_seen_);
}

void LazyProgram::set_pc(ThreadIndex thread, std::uint32_t number) {
  if (options_.pc == PcForm::scalar) return emitter_.assign(places_[thread].pc, number);
  emitter_.emit(Store{pc_address(thread), emitter_.number(int_, number)});
}

void LazyProgram::set_future(ThreadIndex thread, Future future) {
  emitter_.assign(places_[thread].reads, future.reads);
  emitter_.assign(places_[thread].writes, future.writes);
}

Sequential sequentialize_lazily(const Program& program, const Facts& facts,
                                const LazyOptions& options) {
  return LazyProgram(program, facts, options).run();
}

}  // namespace heddle::sequentialize
