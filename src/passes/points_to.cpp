#include "passes/points_to.hpp"

#include <algorithm>
#include <set>

#include "passes/operands.hpp"
#include "passes/points_to_solution.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

Targets objects_of(const PointsToGraph& graph, const std::vector<AddressId>& addresses) {
  Targets targets;
  std::set<ObjectIndex> found;
  for (const AddressId id : addresses) {
    if (id == unknown_address)
      targets.anything = true;
    else
      found.insert(graph.at(id).object);
  }
  targets.objects.assign(found.begin(), found.end());
  return targets;
}

void merge(Targets& into, const Targets& more) {
  into.anything = into.anything || more.anything;
  std::vector<ObjectIndex> all;
  std::set_union(into.objects.begin(), into.objects.end(), more.objects.begin(), more.objects.end(),
                 std::back_inserter(all));
  into.objects = std::move(all);
}

bool overlap(const TouchedBytes& left, const TouchedBytes& right) {
  if (left.object != right.object) return false;
  if (left.whole || right.whole) return true;
  return left.first <= right.last && right.first <= left.last;
}

}  // namespace

bool PointsTo::gave_up() const { return solution_->gave_up(); }
std::span<const AbstractObject> PointsTo::objects() const { return solution_->graph().objects(); }
std::span<const Instance> PointsTo::instances() const { return solution_->instances(); }

Targets PointsTo::targets(InstanceId instance, ExprId address) const {
  if (gave_up()) return {.anything = true};
  return objects_of(solution_->graph(), solution_->addresses(instance, address));
}

Targets PointsTo::targets(ExprId address, FunId function) const {
  Targets all{.anything = gave_up()};
  for (const InstanceId instance : solution_->instances_of(function))
    merge(all, targets(instance, address));
  return all;
}

Targets PointsTo::targets(InstanceId instance, EdgeId access) const {
  const auto address = accessed_address(solution_->program().edge(access).statement);
  return address ? targets(instance, *address) : Targets{};
}

Targets PointsTo::targets(EdgeId access) const {
  const auto address = accessed_address(solution_->program().edge(access).statement);
  return address ? targets(*address, solution_->program().function_of(access)) : Targets{};
}

Targets PointsTo::contents(ObjectIndex object) const {
  const PointsToGraph& graph = solution_->graph();
  return objects_of(graph, graph.set(graph.all_contents(object)));
}

Targets PointsTo::stored_anywhere() const {
  const PointsToGraph& graph = solution_->graph();
  return objects_of(graph, graph.set(graph.stored_through_unknown()));
}

std::uint64_t PointsTo::period(ObjectIndex object) const {
  return solution_->graph().period(object);
}

Touched PointsTo::touched(InstanceId instance, EdgeId access) const {
  const Program& program = solution_->program();
  const Statement& statement = program.edge(access).statement;
  const auto address = accessed_address(statement);
  if (!address) return {};
  if (gave_up()) return {.anything = true};
  const bool whole_object = std::holds_alternative<Free>(statement) ||
                            std::holds_alternative<Clobber>(statement) ||
                            std::holds_alternative<ObjectSize>(statement);
  const auto size = static_cast<std::int64_t>(program.type(program.pointee(*address)).size);
  Touched result;
  for (const AddressId id : solution_->addresses(instance, *address)) {
    if (id == unknown_address) {
      result.anything = true;
      continue;
    }
    const AbstractAddress at = solution_->graph().at(id);
    const bool wraps =  // into the array's next element
        at.offset + size > static_cast<std::int64_t>(period(at.object));
    const bool whole = whole_object || wraps || at.offset == any_offset;
    result.bytes.push_back({at.object, whole, at.offset, at.offset + size - 1});
  }
  return result;
}

bool PointsTo::may_alias(EdgeId left, EdgeId right) const {
  if (gave_up()) return true;
  bool unknown = false;
  const auto touched_by = [&](EdgeId edge) {
    std::vector<TouchedBytes> all;
    for (const InstanceId instance :
         solution_->instances_of(solution_->program().function_of(edge))) {
      const Touched part = touched(instance, edge);
      unknown = unknown || part.anything;
      // Whoever touches anything touches something.
      if (part.anything) all.push_back({});
      all.insert(all.end(), part.bytes.begin(), part.bytes.end());
    }
    return all;
  };
  const std::vector<TouchedBytes> first = touched_by(left), second = touched_by(right);
  if (unknown) return !first.empty() && !second.empty();
  return std::any_of(first.begin(), first.end(), [&](const TouchedBytes& a) {
    return std::any_of(second.begin(), second.end(),
                       [&](const TouchedBytes& b) { return overlap(a, b); });
  });
}

std::vector<InstanceId> PointsTo::callees(InstanceId instance, EdgeId edge) const {
  const std::set<InstanceId>* found = solution_->callees(instance, edge);
  return found == nullptr ? std::vector<InstanceId>{}
                          : std::vector<InstanceId>(found->begin(), found->end());
}

std::vector<FunId> PointsTo::callees(EdgeId edge) const {
  std::set<FunId> found;
  for (const InstanceId instance : solution_->instances_of(solution_->program().function_of(edge)))
    for (const InstanceId callee : callees(instance, edge))
      found.insert(solution_->instances()[callee].function);
  return {found.begin(), found.end()};
}

PointsTo analyse_points_to(const Program& program, PointsToLimits limits) {
  return PointsTo(std::make_shared<const PointsTo::Solution>(program, limits));
}

}  // namespace heddle::passes
