#include "sequentialize/mu.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "sequentialize/mu_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

namespace {

ExpansionLimits one_copy(ExpansionLimits limits) {
  limits.copies_a_spawn = 1;
  return limits;
}

}  // namespace

MuProgram::MuProgram(const Program& program, const Facts& facts, const MuOptions& options)
    : program_(program),
      facts_(facts),
      options_(options),
      threads_(expand_threads(program, facts.points_to, one_copy(options.limits))),
      privates_(program, threads_,
                options.later_blocks == Switch::on ? Switch::off : options.fresh_blocks),
      cells_(program, facts.points_to, facts.sharedness, threads_, privates_, options),
      sections_(program, threads_, cells_),
      emitter_(program),
      steps_(emitter_, program, threads_, options.emission),
      int_(number_type(emitter_.build())),
      bool_(emitter_.build().bool_type()),
      registers_(declare()),
      memory_(make_memory(emitter_, cells_.cells(), options, registers_)),
      variables_(emitter_, program, steps_, facts, threads_, privates_, cells_, options),
      accesses_(emitter_, program, steps_, cells_, sections_, variables_, *memory_, touched_),
      lives_(emitter_, program, steps_, facts, threads_, cells_, *memory_, privates_, options,
             registers_) {}

Sequential MuProgram::run() {
  begin();
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
    for (PointIndex point = 0; point < threads_[thread].points.size(); ++point) {
      const std::vector<StepIndex>& out = threads_[thread].points[point].out;
      if (!out.empty()) {
        Note note = steps_.note({thread, out[0]});
        note.once = note.once && !cells_.repeated(thread);
        emitter_.note(note);
      }
      execute(thread, point);
      emitter_.note(std::nullopt);
    }
    emit_full(thread);
    if (thread != 0) emit_return(thread);
  }
  for (const auto& [from, to] : first_starts_) {
    emitter_.go_on_at(from);
    guess();
    emitter_.jump(to);
  }
  emit_waits();
  emit_cuts();
  finish();
  std::vector<std::string> routines;
  for (const ThreadCode& code : threads_) routines.push_back(code.routine);
  Sequential result = std::move(emitter_).finish(std::move(routines), counters_);
  for (const MuThread& thread : registers_)
    result.positions.push_back({thread.self, thread.at, thread.phase});
  result.in_memory = options_.in_memory();
  return result;
}

// ---- registers and places ---------------------------------------------------------

std::vector<MuThread> MuProgram::declare() {
  std::vector<MuThread> result;
  const TypeId position = position_type(emitter_.build(), options_.variant);
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
    counters_.ended += threads_[thread].lives.size();
  }
  counters_.threads = threads_.size();
  counters_.joined = cells_.direct_accesses();
  created_ = emitter_.scalar("threads_created", int_);
  error_ = emitter_.scalar("error", int_);
  cut_ = emitter_.scalar("cut", int_);
  void_ = emitter_.scalar("inside_for_good", bool_);
  choice_ = emitter_.scalar("choice", bool_);
  alone_ = emitter_.fresh();
  return result;
}

void MuProgram::begin() {
  variables_.declare();
  reset_rounds(0);
  emitter_.assign(registers_[0].self, 1);
  emitter_.assign(created_, 1);
  for (const RegId reg : {error_, cut_, void_}) emitter_.assign(reg, 0);
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
    emitter_.assign(registers_[thread].at, 0);
    emitter_.assign(registers_[thread].phase, 0);
    emitter_.assign(registers_[thread].starting, 0);
    emitter_.assign(touched_[thread], 0);
  }
  memory_->forget_objects();
  lives_.forget();
  emitter_.jump(places_[0].points[threads_[0].entry]);
}

// Writes can always be cut into more groups, and it may be that no guess of few groups is right; so
// that none leads to an error says nothing.
void MuProgram::guess() {
  memory_->guess();
  if (memory_->notices_its_end()) return;
  emitter_.emit(Havoc{choice_});
  const LocId next = only_if(emitter_.value(choice_));
  emitter_.bound(fmt::format("more than {} groups of writes", options_.positions));
  emitter_.go_on_at(next);
}

// From one point to another; the unwinding is guessed where main may start a thread from now on.
LocId MuProgram::way(ThreadIndex thread, PointIndex from, PointIndex to) {
  const LocId there = places_[thread].points[to];
  if (concurrent(thread, from) || !concurrent(thread, to)) return there;
  const LocId first = emitter_.fresh();
  first_starts_.emplace_back(first, there);
  return first;
}

void MuProgram::go_on(StepRef at) {
  emitter_.jump(way(at.thread, steps_.step(at).from, steps_.step(at).to));
}

// Executions that go beyond what we model count once all that was guessed has been done.
LocId MuProgram::cut(ThreadIndex thread, PointIndex at, std::string text) {
  const LocId place = emitter_.fresh();
  cuts_.push_back({place, reason(std::move(text)), stop(thread, at),
                   threads_[thread].points[at].atomic_depth > 0});
  return place;
}

LocId MuProgram::cut(StepRef at, std::string text) {
  return cut(at.thread, steps_.step(at).from, std::move(text));
}

std::uint32_t MuProgram::reason(std::string text) {
  const auto known = std::find(reasons_.begin(), reasons_.end(), text);
  const auto number = static_cast<std::uint32_t>(known - reasons_.begin()) + 1;
  if (known == reasons_.end()) reasons_.push_back(std::move(text));
  return number;
}

MuExits MuProgram::exits(StepRef at) {
  return {stop(at), places_[at.thread].full,
          [this](ExprId when, std::string text) { note(when, std::move(text)); },
          [this](ExprId when, std::string text) { doubt(when, std::move(text)); }};
}

LocId MuProgram::stop_waiting(StepRef at) {
  if (!lives_.may_be_late(at)) return stop(at);
  waits_.emplace_back(emitter_.fresh(), at);
  return waits_.back().first;
}

// The execution goes on, but nothing of it counts.
void MuProgram::note(ExprId when, std::string text) {
  emitter_.where(when, [&] {
    emitter_.assign(cut_, reason(std::move(text)));
    emitter_.assign(void_, 1);
  });
}

// The execution counts, but nothing is proved.
void MuProgram::doubt(ExprId when, std::string text) {
  emitter_.where(when, [&] { emitter_.assign(cut_, reason(std::move(text))); });
}

// ---- the end ----------------------------------------------------------------------

void MuProgram::emit_cuts() {
  for (const Cut& known : cuts_) {
    emitter_.go_on_at(known.place);
    emitter_.assign(cut_, known.reason);
    if (known.in_section) emitter_.assign(void_, 1);
    emitter_.jump(known.stop);
  }
}

void MuProgram::emit_waits() {
  for (const auto& [place, at] : waits_) {
    emitter_.go_on_at(place);
    lives_.after_wait(at, exits(at));
    emitter_.jump(stop(at));
  }
}

// Goes on here where the condition holds; the result is where it does not.
LocId MuProgram::only_if(ExprId condition) {
  const LocId holds = emitter_.fresh();
  emitter_.branch(condition, holds);
  const LocId otherwise = emitter_.here();
  emitter_.go_on_at(holds);
  return otherwise;
}

void MuProgram::finish() {
  const LocId report = emitter_.fresh();
  emitter_.go_on_at(places_[0].stop);
  memory_->stop(0);
  memory_->check();
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
  for (std::size_t i = 0; i < noted_failures.size(); ++i) {
    const LocId next = only_if(emitter_.equals(error_, i + 1));
    emitter_.emit(Fail{noted_failures[i], "an error of the concurrent program"});
    emitter_.emit(Exit{ExitScope::abnormal});
    emitter_.go_on_at(next);
  }
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    const LocId next = only_if(emitter_.equals(cut_, i + 1));
    emitter_.emit(Unsupported{reasons_[i]});
    emitter_.go_on_at(next);
  }
  emitter_.emit(Return{emitter_.number(int_, 0)});
}

Sequential sequentialize_by_unwinding(const Program& program, const Facts& facts,
                                      const MuOptions& options) {
  CHECK(options.variant != MuVariant::in_turn, "one program has one variant");
  if (!is_coarse(options.variant) && options.positions > most_writes)
    throw Rejected(fmt::format("more than {} positions for single writes", most_writes));
  return MuProgram(program, facts, options).run();
}

}  // namespace heddle::sequentialize
