#include "sequentialize/mu_lives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;
using passes::ObjectIndex;

namespace {

constexpr const char* used_too_late = "undefined: use of memory whose life has ended";

// Of one allocation that is made again and again: every access that may go there asks for each.
constexpr std::uint32_t most_known = 4;

}  // namespace

MuLives::MuLives(Emitter& emitter, const Program& program, ThreadEmitter& steps, const Facts& facts,
                 const std::vector<ThreadCode>& threads, const MuCells& cells, MuMemory& memory,
                 const PrivateAccesses& privates, const MuOptions& options,
                 const std::vector<MuThread>& registers)
    : emitter_(emitter),
      program_(program),
      steps_(steps),
      threads_(threads),
      cells_(cells),
      memory_(memory),
      privates_(privates),
      registers_(registers),
      position_(position_type(emitter.build(), options.variant)),
      number_(number_type(emitter.build())),
      size_(emitter.build().size_type()),
      flag_(emitter.build().bool_type()),
      tracked_(threads.size()) {
  if (std::ranges::all_of(threads, [](const ThreadCode& code) { return code.lives.empty(); }))
    return;
  address_ = emitter.scalar("address_used", size_);
  declare(options);
  find_uses(program, facts);
}

// ---- which objects, and who uses them ----------------------------------------------

void MuLives::declare(const MuOptions& options) {
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
    const ThreadCode& code = threads_[thread];
    tracked_[thread].resize(code.lives.size());
    for (StepIndex id = 0; id < code.steps.size(); ++id) {
      if (!code.steps[id].begins) continue;
      Tracked& tracked = tracked_[thread][*code.steps[id].begins];
      const bool again = code.points[code.steps[id].from].in_cycle || cells_.repeated(thread);
      const std::size_t count =
          again ? std::min(std::max(options.threads, options.rounds), most_known) : 1;
      const auto& alloc = std::get<Alloc>(program_.edge(code.steps[id].edge).statement);
      while (tracked.objects.size() < count)
        tracked.objects.push_back(declare_object(
            fmt::format("t{}_{}", thread, alloc.name.empty() ? "block" : alloc.name)));
      const std::optional<ObjectIndex> object = cells_.object_of(thread, id);
      if (!memory_.has_later_blocks() || !object) continue;
      tracked.found_early = cells_.found_in(*object);
      for (const CellIndex cell : tracked.found_early)
        if (!cell_uses_.contains(cell))
          cell_uses_[cell] = declare_moment("last_use_of_" + cells_.cells()[cell].name);
    }
  }
}

MuLives::Object MuLives::declare_object(const std::string& name) {
  Object result;
  result.start = emitter_.scalar("start_of_" + name, size_);
  result.bytes = emitter_.scalar("bytes_of_" + name, size_);
  result.owner = emitter_.scalar("owner_of_" + name, number_);
  result.is_over = emitter_.scalar("is_over_" + name, flag_);
  result.end = declare_moment("end_of_" + name);
  result.last_use = declare_moment("last_use_of_" + name);
  result.waits_for = emitter_.scalar("waits_for_" + name, flag_);
  return result;
}

void MuLives::find_uses(const Program& program, const Facts& facts) {
  std::map<ObjectIndex, std::vector<std::pair<ThreadIndex, LifeIndex>>> known;
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (StepIndex id = 0; id < threads_[thread].steps.size(); ++id)
      if (const auto life = threads_[thread].steps[id].begins)
        if (const auto object = cells_.object_of(thread, id))
          known[*object].emplace_back(thread, *life);
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (StepIndex id = 0; id < threads_[thread].steps.size(); ++id) {
      const CodeStep& step = threads_[thread].steps[id];
      const auto address = passes::accessed_address(program.edge(step.edge).statement);
      if (step.kind != StepKind::statement || !address) continue;
      const passes::InstanceId instance =
          threads_[thread].frames[steps_.frame({thread, id})].instance;
      const passes::Targets targets = facts.points_to.targets(instance, step.edge);
      for (const auto& [object, lives] : known) {
        if (!targets.anything && !std::ranges::binary_search(targets.objects, object)) continue;
        for (const auto& [owner, life] : lives) {
          if (names_its_own({thread, id}, *address, owner, threads_[owner].lives[life])) continue;
          for (const Object& one : tracked_[owner][life].objects)
            uses_[{thread, id}].push_back(&one);
        }
      }
    }
}

bool MuLives::names_its_own(StepRef access, ExprId address, ThreadIndex owner,
                            const Life& life) const {
  const auto& alloc = std::get<Alloc>(program_.edge(life.allocation).statement);
  bool result = owner == access.thread && life.frame == steps_.frame(access);
  passes::for_each_register(program_, address,
                            [&](RegId reg) { result = result && reg == alloc.to; });
  return result;
}

// ---- code --------------------------------------------------------------------------

void MuLives::forget() {
  for (const std::vector<Tracked>& of_thread : tracked_)
    for (const Tracked& tracked : of_thread)
      for (const Object& object : tracked.objects) {
        emitter_.assign(object.bytes, 0);
        emitter_.assign(object.is_over, 0);
      }
  for (const auto& [cell, used] : cell_uses_) {
    emitter_.assign(used.at, 0);
    emitter_.assign(used.phase, 0);
  }
}

ExprId MuLives::forgets(StepRef allocation) {
  return emitter_.differs(of(allocation).back().bytes, 0);
}

void MuLives::begin(StepRef allocation, ExprId address, ExprId bytes) {
  const std::vector<Object>& objects = of(allocation);
  for (std::size_t i = objects.size() - 1; i > 0; --i) {
    const Object &to = objects[i], &from = objects[i - 1];
    for (const auto& [target, source] :
         {std::pair(to.start, from.start), std::pair(to.bytes, from.bytes),
          std::pair(to.owner, from.owner), std::pair(to.is_over, from.is_over),
          std::pair(to.waits_for, from.waits_for)})
      emitter_.assign(target, emitter_.value(source));
    set(to.end, value(from.end));
    set(to.last_use, value(from.last_use));
  }
  const Object& object = objects[0];
  emitter_.assign(object.start, emitter_.build().cast(size_, address));
  emitter_.assign(object.bytes, emitter_.build().cast(size_, bytes));
  emitter_.assign(object.owner, emitter_.value(registers_[allocation.thread].self));
  emitter_.assign(object.is_over, 0);
  emitter_.assign(object.waits_for, 0);
  for (const Moment& moment : {object.end, object.last_use}) {
    emitter_.assign(moment.at, 0);
    emitter_.assign(moment.phase, 0);
  }
}

void MuLives::end(StepRef at, const MuExits& exits) {
  for (const LifeIndex life : steps_.step(at).ends) {
    const Tracked& tracked = tracked_[at.thread][life];
    for (const Object& object : tracked.objects) {
      const ExprId is_there =
          emitter_.both(emitter_.differs(object.bytes, 0), emitter_.equals(object.is_over, 0));
      emitter_.where(emitter_.both(is_there, is_of(at.thread, object)), [&] {
        if (privates_.concurrent(at.thread, steps_.step(at).from))
          end_before_uses(at.thread, tracked, object, exits);
        emitter_.assign(object.is_over, 1);
        set(object.end, memory_.now(at.thread));
      });
    }
  }
}

void MuLives::end_before_uses(ThreadIndex thread, const Tracked& tracked, const Object& object,
                              const MuExits& exits) {
  const MuMoment now = memory_.now(thread);
  const auto used = [&](const Moment& last) {
    const MuMoment use = value(last);
    exits.note(is_later(use, now), used_too_late);
    exits.doubt(is_same(use, now), used_too_late);
  };
  used(object.last_use);
  exits.doubt(emitter_.value(object.waits_for), used_too_late);
  for (const CellIndex cell : tracked.found_early) {
    const ExprId inside = is_inside(memory_.address(cell), emitter_.value(object.start),
                                    emitter_.value(object.bytes));
    emitter_.where(emitter_.both(memory_.is_found(cell), inside),
                   [&] { used(cell_uses_.at(cell)); });
  }
}

void MuLives::before_use(StepRef access) {
  ProgramBuilder& build = emitter_.build();
  const ExprId address = *passes::accessed_address(steps_.edge(access).statement);
  emitter_.assign(address_, build.cast(size_, steps_.renamed(access, address)));
}

// What the thread itself does comes in the order of the simulation.
void MuLives::after_use(StepRef access, Placing placing, const MuExits& exits) {
  ProgramBuilder& build = emitter_.build();
  const MuMoment now = memory_.latest(access.thread, placing);
  const ExprId address = emitter_.value(address_);
  for (const Object* object : uses_.at({access.thread, access.step}))
    emitter_.where(
        is_inside(address, emitter_.value(object->start), emitter_.value(object->bytes)), [&] {
          const ExprId own = is_of(access.thread, *object);
          const ExprId in_time =
              emitter_.both(build.negation(own), is_later(value(object->end), now));
          exits.note(emitter_.both(emitter_.value(object->is_over), build.negation(in_time)),
                     used_too_late);
          emitter_.where(emitter_.both(build.negation(own), is_later(now, value(object->last_use))),
                         [&] { set(object->last_use, now); });
        });
  for (const CellIndex cell : cells_.access(access.thread, access.step).found) {
    const auto used = cell_uses_.find(cell);
    if (used == cell_uses_.end()) continue;
    const ExprId bytes = build.constant(size_, cells_.cells()[cell].bytes);
    const ExprId there =
        emitter_.both(memory_.is_awaited(cell), is_inside(address, memory_.address(cell), bytes));
    emitter_.where(emitter_.both(there, is_later(now, value(used->second))),
                   [&] { set(used->second, now); });
  }
}

// The thread looks there again and again, however late that is.
void MuLives::after_wait(StepRef access, const MuExits& exits) {
  ProgramBuilder& build = emitter_.build();
  const ExprId address = emitter_.value(address_);
  for (const Object* object : uses_.at({access.thread, access.step}))
    emitter_.where(is_inside(address, emitter_.value(object->start), emitter_.value(object->bytes)),
                   [&] {
                     exits.doubt(emitter_.value(object->is_over), used_too_late);
                     emitter_.assign(object->waits_for, 1);
                   });
  for (const CellIndex cell : cells_.access(access.thread, access.step).found) {
    if (!cell_uses_.contains(cell)) continue;
    const ExprId bytes = build.constant(size_, cells_.cells()[cell].bytes);
    exits.doubt(
        emitter_.both(memory_.is_awaited(cell), is_inside(address, memory_.address(cell), bytes)),
        used_too_late);
  }
}

// ---- moments -----------------------------------------------------------------------

MuLives::Moment MuLives::declare_moment(const std::string& name) {
  return {emitter_.scalar(name, position_), emitter_.scalar(name + "_phase", flag_)};
}

void MuLives::set(const Moment& to, const MuMoment& from) {
  emitter_.assign(to.at, from.at);
  emitter_.assign(to.phase, from.phase);
}

// Of two at one moment, the one that is simulated first comes first, but it need not.
ExprId MuLives::is_later(const MuMoment& left, const MuMoment& right) {
  ProgramBuilder& build = emitter_.build();
  const ExprId in_phase = emitter_.both(left.phase, build.negation(right.phase));
  return emitter_.either(build.binary(Op::lt, right.at, left.at),
                         emitter_.both(build.binary(Op::eq, left.at, right.at), in_phase));
}

ExprId MuLives::is_same(const MuMoment& left, const MuMoment& right) {
  ProgramBuilder& build = emitter_.build();
  return emitter_.both(build.binary(Op::eq, left.at, right.at),
                       build.binary(Op::eq, left.phase, right.phase));
}

// Unsigned, so that what is below the start is not inside either.
ExprId MuLives::is_inside(ExprId address, ExprId start, ExprId bytes) {
  ProgramBuilder& build = emitter_.build();
  return build.binary(Op::lt, build.binary(Op::sub, address, start), bytes);
}

ExprId MuLives::is_of(ThreadIndex thread, const Object& object) {
  return emitter_.build().binary(Op::eq, emitter_.value(object.owner),
                                 emitter_.value(registers_[thread].self));
}

}  // namespace heddle::sequentialize
