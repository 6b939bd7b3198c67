// Atomic sections, and the threads that start at the end of one.
#include <fmt/format.h>

#include <set>

#include "sequentialize/mu_program.hpp"

namespace heddle::sequentialize {

using namespace ir;

namespace {

constexpr std::size_t most_renewed = 4096;

// By their offsets; those that share their place, as in a union, are all there.
using Scalars = std::set<std::pair<std::uint64_t, TypeId>>;

void collect_scalars(const Program& program, TypeId id, std::uint64_t offset, Scalars& into) {
  const Type& type = program.type(id);
  if (into.size() > most_renewed) return;
  if (type.scalar()) into.emplace(offset, id);
  for (const Field& field : type.fields)
    collect_scalars(program, field.type, offset + field.offset, into);
  if (type.kind != TypeKind::array) return;
  const std::uint64_t step = program.type(type.element).size;
  for (std::uint64_t i = 0; i < type.count && into.size() <= most_renewed; ++i)
    collect_scalars(program, type.element, offset + i * step, into);
}

}  // namespace

// ---- atomic sections --------------------------------------------------------------

void MuProgram::section(StepRef at, const Atomic& mark) {
  const std::uint32_t depth = this->depth(at);
  const bool counts = concurrent(at.thread, steps_.step(at).from);
  const bool begins = mark.mark == AtomicMark::begin && depth == 0;
  const bool ends = mark.mark == AtomicMark::end && depth == 1;
  const bool noticed = begins && counts && matters_when(at);
  if (begins && counts &&
      (may_not_end(at) || (noticed && options_.stops == Stops::before_any_step)))
    may_stop(at.thread, steps_.step(at).from);
  if (noticed) {
    memory_->begin_section(at.thread);
    emitter_.assign(touched_[at.thread], 0);
  }
  if (ends) end_section(at);
  steps_.skip(at);
  if (ends)
    for (const ThreadIndex child : started_before(at)) run_if_pending(at, child);
  go_on(at);
}

void MuProgram::end_section(StepRef at) {
  const PointIndex from = steps_.step(at).from;
  if (depth(at) > 0 && concurrent(at.thread, from))
    memory_->end_section(at.thread, sections_.written(at.thread, from));
}

void MuProgram::for_each_in_section(ThreadIndex thread, PointIndex start,
                                    const std::function<void(StepIndex)>& visit) const {
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

// It touches cells, or what ends or has ended.
bool MuProgram::matters_when(StepRef at) const {
  bool found = false;
  for_each_in_section(at.thread, steps_.step(at).to, [&](StepIndex id) {
    found = found || !cells_.access(at.thread, id).direct || lives_.may_be_late({at.thread, id}) ||
            !threads_[at.thread].steps[id].ends.empty();
  });
  return found;
}

bool MuProgram::may_not_end(StepRef at) const {
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
std::vector<ThreadIndex> MuProgram::started_before(StepRef at) const {
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

// ---- threads that start -----------------------------------------------------------

void MuProgram::start(StepRef at, const Spawn& spawn) {
  if (!concurrent(at.thread, steps_.step(at).from)) guess();
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

void MuProgram::start_thread(StepRef at, const Spawn& spawn, ThreadIndex thread) {
  ProgramBuilder& build = emitter_.build();
  note(emitter_.value(registers_[thread].starting),
       "bound: two threads that one statement starts in one section");
  steps_.pass_argument(at, spawn, thread);
  emitter_.assign(created_,
                  build.binary(Op::add, emitter_.value(created_), emitter_.number(int_, 1)));
  emitter_.assign(registers_[thread].self, emitter_.value(created_));
  emitter_.assign(registers_[thread].starting, 1);
  Origin origin = steps_.origin(at);
  origin.starts = thread;
  set(at, spawn.number, emitter_.value(created_), origin);
  if (depth(at) == 0) run_if_pending(at, thread);
}

void MuProgram::run_if_pending(StepRef at, ThreadIndex thread) {
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
void MuProgram::renew_thread_locals(ThreadIndex thread) {
  ProgramBuilder& build = emitter_.build();
  const ThreadCode& creator = threads_[*threads_[thread].creator];
  if (!creator.points[creator.steps[threads_[thread].created_by].from].in_cycle &&
      !threads_[*threads_[thread].creator].creator)
    return;
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i) {
    const Global& global = program_.globals()[i];
    if (global.storage != Storage::thread) continue;
    const TypeId bytes = build.pointer_to(build.int_type(8, false));
    const ExprId start =
        build.cast(bytes, emitter_.rename(thread, 0, build.global_address(GlobalId{i})));
    const auto store = [&](TypeId type, std::uint64_t offset, ExprId value, BitRange bits) {
      const ExprId place = build.ptr_add(start, build.constant(build.size_type(), offset));
      emitter_.emit(Store{
          .address = build.cast(build.pointer_to(type), place), .value = value, .bits = bits});
    };
    Scalars scalars;
    collect_scalars(program_, global.type, 0, scalars);
    if (scalars.size() > most_renewed)
      throw Rejected("large thread-local objects of threads started in a loop");
    for (const auto& [offset, type] : scalars) store(type, offset, build.constant(type, 0), {});
    for (const Initializer& part : global.initializers)
      store(program_.expr(part.value).type, part.offset, part.value, part.bits);
  }
}

void MuProgram::emit_return(ThreadIndex thread) {
  emitter_.go_on_at(places_[thread].stop);
  memory_->stop(thread);
  const std::vector<LocId>& backs = places_[thread].back;
  if (backs.empty()) return emitter_.assume(emitter_.number(bool_, 0));
  for (std::size_t i = 0; i + 1 < backs.size(); ++i)
    emitter_.branch(emitter_.equals(back_[thread], i), backs[i]);
  emitter_.jump(backs.back());
}

void MuProgram::emit_full(ThreadIndex thread) {
  emitter_.go_on_at(places_[thread].full);
  const LocId place = emitter_.fresh();
  cuts_.push_back({place, reason(fmt::format("bound: more than {} writes", options_.positions)),
                   places_[thread].stop, false});
  emitter_.branch(memory_->is_full(), place);
  emitter_.jump(places_[thread].stop);
}

}  // namespace heddle::sequentialize
