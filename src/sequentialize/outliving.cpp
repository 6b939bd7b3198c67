#include "sequentialize/outliving.hpp"

#include <algorithm>
#include <utility>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;
using passes::AbstractObject;
using passes::InstanceId;
using passes::ObjectIndex;
using passes::ObjectKind;
using passes::Targets;

namespace {

// An Alloc whose object ends with its frame.
const Alloc* allocation_of_frame(const Program& program, EdgeId edge) {
  const auto* alloc = std::get_if<Alloc>(&program.edge(edge).statement);
  const bool ends =
      alloc != nullptr && (alloc->kind == AllocKind::stack || alloc->kind == AllocKind::frame);
  return ends ? alloc : nullptr;
}

// One activation of its function may execute it again.
bool may_come_again(const Program& program, EdgeId edge) {
  std::vector<LocId> work{program.edge(edge).to};
  std::vector<char> seen(program.locations().size(), 0);
  while (!work.empty()) {
    const LocId at = work.back();
    work.pop_back();
    if (std::exchange(seen[at.value], 1) != 0) continue;
    if (at == program.edge(edge).from) return true;
    for (const EdgeId next : program.out(at))
      if (!passes::ends_path(program.edge(next).statement)) work.push_back(program.edge(next).to);
  }
  return false;
}

}  // namespace

Outliving::Outliving(const Program& program, const passes::PointsTo& points_to,
                     const std::vector<ThreadCode>& threads)
    : program_(program),
      points_to_(points_to),
      threads_(threads),
      anything_(points_to.gave_up()),
      frames_(points_to.instances().size()),
      owner_(points_to.objects().size()),
      known_(points_to.objects().size(), 0),
      inside_(points_to.objects().size()) {
  if (anything_) return;
  for (ThreadIndex thread = 0; thread < threads.size(); ++thread)
    for (FrameIndex frame = 0; frame < threads[thread].frames.size(); ++frame)
      frames_[threads[thread].frames[frame].instance].push_back({thread, frame});
  find_owners();
  if (objects_.empty()) return;
  for (InstanceId i = 0; i < frames_.size(); ++i) {
    if (frames_[i].empty()) continue;
    for (const LocId at : program.function(points_to.instances()[i].function).locations)
      for (const EdgeId edge : program.out(at)) look_at(i, edge);
  }
}

void Outliving::find_owners() {
  std::map<std::pair<FunId, EdgeId>, InstanceId> instances;
  for (InstanceId i = 0; i < frames_.size(); ++i) {
    const passes::Instance& instance = points_to_.instances()[i];
    if (!frames_[i].empty()) instances[{instance.function, instance.context}] = i;
  }
  for (ObjectIndex i = 0; i < owner_.size(); ++i) {
    const AbstractObject& object = points_to_.objects()[i];
    if (object.kind != ObjectKind::allocation) continue;
    if (allocation_of_frame(program_, object.allocation) == nullptr) continue;
    const auto at = instances.find({program_.function_of(object.allocation), object.context});
    if (at == instances.end()) continue;  // never executed
    owner_[i] = at->second;
    objects_[{at->second, object.allocation}] = i;
  }
}

// ---- ways out ----------------------------------------------------------------------

void Outliving::look_at(InstanceId instance, EdgeId edge) {
  const Statement& statement = program_.edge(edge).statement;
  if (passes::accessed_address(statement) && !std::holds_alternative<Clobber>(statement))
    anything_ = anything_ || points_to_.targets(instance, edge).anything;
  if (const auto* spawn = std::get_if<Spawn>(&statement)) {
    for (const ObjectIndex object : owned(points_to_.targets(instance, spawn->argument)))
      know(object);
  } else if (const auto* returned = std::get_if<Return>(&statement)) {
    if (!returned->value) return;
    for (const ObjectIndex object : owned(points_to_.targets(instance, *returned->value)))
      if (owner_[object] == instance) know(object);
  } else if (const auto* write = std::get_if<Store>(&statement)) {
    store(instance, write->address, write->value);
  } else if (const auto* update = std::get_if<Update>(&statement)) {
    store(instance, update->address, update->operand);
  }
}

void Outliving::store(InstanceId instance, ExprId address, ExprId value) {
  const Objects stored = owned(points_to_.targets(instance, value));
  if (stored.empty()) return;
  const Targets places = points_to_.targets(instance, address);
  for (const ObjectIndex what : stored) {
    if (places.anything) know(what);
    for (const ObjectIndex where : places.objects) {
      if (!owner_[where] || known_[where] != 0 || !is_inside(instance, what, where))
        know(what);
      else
        inside_[where].push_back(what);
    }
  }
}

// Wherever the instance stores the one in the other, and nobody outside knows either of them, both
// are of activations on the way to it; the place must not be of an outer one.
bool Outliving::is_inside(InstanceId stored_by, ObjectIndex what, ObjectIndex where) const {
  return std::ranges::none_of(frames_[stored_by], [&](const Place& place) {
    const std::vector<CodeFrame>& frames = threads_[place.thread].frames;
    bool passed = false;  // an activation that the address may be of
    for (std::optional<FrameIndex> at = place.frame; at; at = frames[*at].caller) {
      if (passed && frames[*at].instance == owner_[where]) return true;
      passed = passed || frames[*at].instance == owner_[what];
    }
    return false;
  });
}

Outliving::Objects Outliving::owned(const Targets& targets) const {
  Objects result;
  for (const ObjectIndex object : targets.objects)
    if (owner_[object] && known_[object] == 0) result.push_back(object);
  return result;
}

// Whoever knows an object finds all that is stored in it.
void Outliving::know(ObjectIndex object) {
  std::vector<ObjectIndex> work{object};
  while (!work.empty()) {
    const ObjectIndex at = work.back();
    work.pop_back();
    if (std::exchange(known_[at], 1) != 0) continue;
    work.insert(work.end(), inside_[at].begin(), inside_[at].end());
  }
}

// ---- answers -----------------------------------------------------------------------

bool Outliving::after_return(InstanceId instance, EdgeId allocation) const {
  const auto object = objects_.find({instance, allocation});
  return anything_ || (object != objects_.end() && known_[object->second] != 0);
}

bool Outliving::after_renewal(InstanceId instance, EdgeId allocation) {
  if (after_return(instance, allocation)) return true;
  const auto object = objects_.find({instance, allocation});
  return object != objects_.end() && keeps_its_address(instance, allocation, object->second);
}

// Those that were called since have returned, so that only the activation itself may know.
bool Outliving::keeps_its_address(InstanceId instance, EdgeId allocation, ObjectIndex object) {
  const auto holds = [&](const Targets& targets) {
    return std::ranges::binary_search(targets.objects, object);
  };
  for (ObjectIndex other = 0; other < owner_.size(); ++other)
    if (other != object && owner_[other] == instance && holds(points_to_.contents(other)))
      return true;
  const FunId function = points_to_.instances()[instance].function;
  const passes::Liveness& liveness =
      liveness_.try_emplace(function, program_, function).first->second;
  const RegId renewed = std::get<Alloc>(program_.edge(allocation).statement).to;
  for (std::uint32_t i = 0; i < program_.exprs().size(); ++i) {
    const Expr& expr = program_.expr(ExprId{i});
    if (expr.op != Op::reg) continue;
    const RegId reg{static_cast<std::uint32_t>(expr.payload)};
    if (reg != renewed && program_.reg(reg).function == function &&
        liveness.live(program_.edge(allocation).to, reg) &&
        holds(points_to_.targets(instance, ExprId{i})))
      return true;
  }
  return false;
}

// ---- where they begin and end --------------------------------------------------------

namespace {

class LifeMarker {
 public:
  LifeMarker(const Program& program, const passes::PointsTo& points_to,
             std::vector<ThreadCode>& threads)
      : program_(program), threads_(threads), outliving_(program, points_to, threads) {}

  void run() {
    for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
      ThreadCode& code = threads_[thread];
      lives_.assign(code.frames.size(), {});
      ends_early_ = std::ranges::any_of(
          code.steps, [&](const CodeStep& step) { return ends_thread(thread, step); });
      for (CodeStep& step : code.steps) begin(thread, step);
      for (CodeStep& step : code.steps) end(thread, step);
    }
  }

 private:
  struct Ends {
    bool with_frame = false, with_next = false;  // and somebody may know of it
    bool several = false;
  };

  // Nobody finds the objects of main dead once it has returned.
  bool ends_with_process(ThreadIndex thread, FrameIndex frame) const {
    if (thread != 0) return false;
    const CodeFrame& known = threads_[thread].frames[frame];
    return !known.caller || (*known.caller == 0 && known.function == program_.main());
  }
  bool ends_thread(ThreadIndex thread, const CodeStep& step) const {
    if (step.kind != StepKind::end) return false;
    const Statement& statement = program_.edge(step.edge).statement;
    if (const auto* exit = std::get_if<Exit>(&statement)) return exit->scope == ExitScope::thread;
    return thread != 0 && std::holds_alternative<Return>(statement);
  }

  const Ends& ends_of(InstanceId instance, EdgeId edge, const Alloc& alloc) {
    const auto [entry, fresh] = ends_.try_emplace({instance, edge});
    if (fresh) {
      const bool again = may_come_again(program_, edge);
      const bool renewed = again && alloc.kind == AllocKind::stack;
      entry->second = {outliving_.after_return(instance, edge),
                       renewed && outliving_.after_renewal(instance, edge), again && !renewed};
    }
    return entry->second;
  }

  void begin(ThreadIndex thread, CodeStep& step) {
    const Alloc* alloc = allocation_of_frame(program_, step.edge);
    if (alloc == nullptr) return;
    ThreadCode& code = threads_[thread];
    const FrameIndex frame = code.points[step.from].frame;
    const Ends& ends = ends_of(code.frames[frame].instance, step.edge, *alloc);
    const bool with_frame = ends.with_frame && (ends_early_ || !ends_with_process(thread, frame));
    if (!with_frame && !ends.with_next) return;
    const auto [life, fresh] = lives_[frame].try_emplace(step.edge, code.lives.size());
    if (fresh) code.lives.push_back({frame, step.edge, ends.several});
    step.begins = life->second;
    if (ends.with_next) step.ends.push_back(life->second);
  }

  void end(ThreadIndex thread, CodeStep& step) {
    const ThreadCode& code = threads_[thread];
    const FrameIndex frame = code.points[step.from].frame;
    const auto all_of = [&](FrameIndex left) {
      for (const auto& [edge, life] : lives_[left]) step.ends.push_back(life);
    };
    if (step.kind == StepKind::leave && !ends_with_process(thread, frame)) all_of(frame);
    if (!ends_thread(thread, step)) return;
    for (std::optional<FrameIndex> at = frame; at; at = code.frames[*at].caller) all_of(*at);
  }

  const Program& program_;
  std::vector<ThreadCode>& threads_;
  Outliving outliving_;
  std::map<std::pair<InstanceId, EdgeId>, Ends> ends_{};
  std::vector<std::map<EdgeId, LifeIndex>> lives_{};  // of one thread, by FrameIndex
  bool ends_early_ = false;                           // that thread, before the process does
};

}  // namespace

void mark_lives(const Program& program, const passes::PointsTo& points_to,
                std::vector<ThreadCode>& threads) {
  LifeMarker(program, points_to, threads).run();
}

}  // namespace heddle::sequentialize
