#include "passes/sharedness.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "passes/operands.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

// Locations that lie on a cycle of their function's automaton, by Tarjan's components.
class Cycles {
 public:
  explicit Cycles(const Program& program)
      : program_(program),
        order_(program.locations().size(), 0),
        low_(program.locations().size(), 0),
        open_(program.locations().size(), 0),
        cyclic_(program.locations().size(), 0) {
    for (const Function& function : program.functions())
      if (order_[function.entry.value] == 0) visit(function.entry);
  }
  bool contains(LocId at) const { return cyclic_[at.value] != 0; }

 private:
  void enter(LocId at) {
    order_[at.value] = low_[at.value] = ++next_;
    open_[at.value] = 1;
    stack_.push_back(at);
    path_.push_back({at, 0});
  }
  void close(LocId at) {
    if (low_[at.value] != order_[at.value]) return;
    const bool alone = stack_.back() == at;
    for (LocId member = LocId::none(); member != at;) {
      member = stack_.back();
      stack_.pop_back();
      open_[member.value] = 0;
      if (!alone) cyclic_[member.value] = 1;
    }
  }
  void visit(LocId root) {
    enter(root);
    while (!path_.empty()) {
      const auto [at, next] = path_.back();
      const auto out = program_.out(at);
      if (next < out.size()) {
        ++path_.back().second;
        const LocId to = program_.edge(out[next]).to;
        if (to == at) cyclic_[at.value] = 1;
        if (order_[to.value] == 0)
          enter(to);
        else if (open_[to.value] != 0)
          low_[at.value] = std::min(low_[at.value], order_[to.value]);
        continue;
      }
      path_.pop_back();
      close(at);
      if (!path_.empty()) {
        const LocId before = path_.back().first;
        low_[before.value] = std::min(low_[before.value], low_[at.value]);
      }
    }
  }

  const Program& program_;
  std::vector<std::uint32_t> order_, low_;
  std::vector<char> open_, cyclic_;
  std::vector<LocId> stack_{};
  std::vector<std::pair<LocId, std::size_t>> path_{};
  std::uint32_t next_ = 0;
};

// Who calls and starts whom.
struct CallGraph {
  struct Site {
    InstanceId caller;
    EdgeId edge;
  };
  std::vector<std::vector<InstanceId>> calls{};  // by instance
  std::vector<std::vector<Site>> callers{};      // by instance; starts count too
  std::vector<InstanceId> roots{0};              // main's and all that are started; may repeat

  CallGraph(const Program& program, const PointsTo& points_to) {
    const std::size_t count = points_to.instances().size();
    calls.resize(count);
    callers.resize(count);
    for (InstanceId i = 0; i < count; ++i)
      for (const LocId at : program.function(points_to.instances()[i].function).locations)
        for (const EdgeId edge : program.out(at))
          for (const InstanceId callee : points_to.callees(i, edge)) {
            callers[callee].push_back({i, edge});
            if (std::holds_alternative<Spawn>(program.edge(edge).statement))
              roots.push_back(callee);
            else
              calls[i].push_back(callee);
          }
  }
};

class SharedObjects {
 public:
  SharedObjects(const Program& program, const PointsTo& points_to)
      : program_(program),
        points_to_(points_to),
        cycles_(program),
        graph_(program, points_to),
        crossing_(points_to.objects().size(), 0),
        once_(points_to.instances().size()) {
    find_accesses();
    find_crossing();
    count_threads();
  }

  bool shared(ObjectIndex object) const { return crossing_[object] != 0 && touched_twice(object); }
  bool any_shared(const Targets& targets) const {
    if (targets.anything) return true;
    return std::any_of(targets.objects.begin(), targets.objects.end(),
                       [&](ObjectIndex object) { return shared(object); });
  }
  bool crossing(ObjectIndex object) const { return crossing_[object] != 0; }

 private:
  // Allocating counts: the end of the object's life is the owner's doing.
  void find_accesses() {
    touches_.resize(points_to_.instances().size());
    std::map<std::pair<EdgeId, EdgeId>, ObjectIndex> allocated;
    for (ObjectIndex i = 0; i < points_to_.objects().size(); ++i) {
      const AbstractObject& object = points_to_.objects()[i];
      if (object.kind == ObjectKind::allocation) allocated[{object.allocation, object.context}] = i;
    }
    for (InstanceId i = 0; i < points_to_.instances().size(); ++i) {
      const Instance& instance = points_to_.instances()[i];
      std::set<ObjectIndex> objects;
      for (const LocId at : program_.function(instance.function).locations)
        for (const EdgeId edge : program_.out(at)) {
          if (std::holds_alternative<Alloc>(program_.edge(edge).statement))
            objects.insert(allocated.at({edge, instance.context}));
          const Targets targets = points_to_.targets(i, edge);
          touches_[i].anything = touches_[i].anything || targets.anything;
          objects.insert(targets.objects.begin(), targets.objects.end());
        }
      touches_[i].objects.assign(objects.begin(), objects.end());
      touches_anything_ = touches_anything_ || touches_[i].anything;
    }
  }

  // Objects whose address may get from one thread to another.
  void find_crossing() {
    for (ObjectIndex i = 0; i < points_to_.objects().size(); ++i) {
      const AbstractObject& object = points_to_.objects()[i];
      if (object.kind == ObjectKind::global &&
          program_.global(object.global).storage == Storage::process)
        cross(i);
    }
    cross(points_to_.stored_anywhere());
    for (InstanceId i = 0; i < points_to_.instances().size(); ++i)
      for (const LocId at : program_.function(points_to_.instances()[i].function).locations)
        for (const EdgeId edge : program_.out(at)) {
          const Statement& statement = program_.edge(edge).statement;
          if (const auto* spawn = std::get_if<Spawn>(&statement))
            cross(points_to_.targets(i, spawn->argument));
          // Code that we do not know may keep the address and hand it out again.
          if (touches_anything_ && std::holds_alternative<Clobber>(statement))
            cross(points_to_.targets(i, edge));
        }
    while (!work_.empty()) {
      const ObjectIndex at = work_.back();
      work_.pop_back();
      cross(points_to_.contents(at));
    }
  }
  void cross(ObjectIndex object) {
    if (crossing_[object] != 0) return;
    crossing_[object] = 1;
    work_.push_back(object);
  }
  void cross(const Targets& targets) {
    for (const ObjectIndex object : targets.objects) cross(object);
  }

  // Runs at most once in the whole process.
  bool once(InstanceId instance) {
    if (instance == 0) return graph_.callers[0].empty();
    if (once_[instance]) return *once_[instance];
    once_[instance] = false;  // while we look: recursion runs more than once
    const std::vector<CallGraph::Site>& callers = graph_.callers[instance];
    const bool result = callers.size() == 1 &&
                        !cycles_.contains(program_.edge(callers[0].edge).from) &&
                        once(callers[0].caller);
    once_[instance] = result;
    return result;
  }

  void count_threads() {
    for (const InstanceId root : std::set<InstanceId>(graph_.roots.begin(), graph_.roots.end())) {
      const std::uint32_t threads = once(root) ? 1 : 2;
      std::set<InstanceId> reached{root};
      std::vector<InstanceId> work{root};
      std::set<ObjectIndex> objects;
      bool anything = false;
      while (!work.empty()) {
        const InstanceId at = work.back();
        work.pop_back();
        objects.insert(touches_[at].objects.begin(), touches_[at].objects.end());
        anything = anything || touches_[at].anything;
        for (const InstanceId callee : graph_.calls[at])
          if (reached.insert(callee).second) work.push_back(callee);
      }
      if (anything) threads_touching_anything_ += threads;
      for (const ObjectIndex object : objects) threads_[object] += threads;
    }
  }

  bool touched_twice(ObjectIndex object) const {
    const auto at = threads_.find(object);
    return (at == threads_.end() ? 0 : at->second) + threads_touching_anything_ > 1;
  }

  const Program& program_;
  const PointsTo& points_to_;
  Cycles cycles_;
  CallGraph graph_;
  std::vector<char> crossing_;  // by object
  std::vector<std::optional<bool>> once_;
  std::vector<Targets> touches_{};  // by instance
  bool touches_anything_ = false;
  std::vector<ObjectIndex> work_{};
  std::map<ObjectIndex, std::uint32_t> threads_{};  // that touch an object; 2 stands for many
  std::uint32_t threads_touching_anything_ = 0;
};

}  // namespace

Sharedness::Sharedness(const Program& program, const PointsTo& points_to)
    : shared_access_(program.edges().size(), 0),
      shared_allocation_(program.edges().size(), 0),
      shared_object_(points_to.objects().size(), 0),
      shared_global_(program.globals().size(), 0) {
  if (points_to.gave_up()) {
    share_everything();
    return;
  }
  const SharedObjects objects(program, points_to);
  for (ObjectIndex i = 0; i < points_to.objects().size(); ++i) {
    const AbstractObject& object = points_to.objects()[i];
    shared_object_[i] = objects.shared(i) ? 1 : 0;
    if (object.kind == ObjectKind::allocation && objects.shared(i))
      shared_allocation_[object.allocation.value] = 1;
    if (object.kind != ObjectKind::global) continue;
    const bool own_copies = program.global(object.global).storage == Storage::thread;
    // A copy ends with its thread, so whoever may know its address may notice.
    const bool shared = own_copies ? objects.crossing(i) : objects.shared(i);
    shared_global_[object.global.value] = shared;
    thread_locals_shared_ = thread_locals_shared_ || (own_copies && shared);
  }
  for (const Location& location : program.locations())
    for (const EdgeId edge : location.out) {
      const Targets targets = points_to.targets(edge);
      bool shared = objects.any_shared(targets);
      for (const ObjectIndex object : targets.objects)
        if (points_to.objects()[object].kind == ObjectKind::global)
          shared = shared || shared_global_[points_to.objects()[object].global.value] != 0;
      shared_access_[edge.value] = shared;
    }
}

void Sharedness::share_everything() {
  std::fill(shared_access_.begin(), shared_access_.end(), 1);
  std::fill(shared_allocation_.begin(), shared_allocation_.end(), 1);
  std::fill(shared_object_.begin(), shared_object_.end(), 1);
  std::fill(shared_global_.begin(), shared_global_.end(), 1);
  thread_locals_shared_ = true;
}

}  // namespace heddle::passes
