#include "passes/points_to_graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace heddle::passes {
namespace {

constexpr std::size_t offsets_limit = 64;  // an object with more is no longer told apart by offset
constexpr std::uint64_t unknown_size = std::uint64_t{1} << 40;  // a multiple of every word

}  // namespace

Move Move::then(Move next) const { return {add + next.add, std::gcd(stride, next.stride)}; }

ObjectIndex PointsToGraph::add_object(AbstractObject object, std::uint64_t size,
                                      std::uint64_t period) {
  const ObjectIndex index = static_cast<ObjectIndex>(objects_.size());
  objects_.push_back(object);
  Memory memory;
  memory.size = size == 0 ? unknown_size : size;
  memory.period = period == 0 ? memory.size : period;
  memory.words = memory.period % word_bytes_ == 0;
  memory.written_anywhere = add_nodes(2);
  memory.read_anywhere = memory.written_anywhere + 1;
  memory_.push_back(std::move(memory));
  link(memory_[index].written_anywhere, memory_[index].read_anywhere);
  link(stored_through_unknown_, memory_[index].written_anywhere);
  return index;
}

NodeId PointsToGraph::add_nodes(std::uint32_t count) {
  const NodeId first = static_cast<NodeId>(nodes_.size());
  nodes_.resize(nodes_.size() + count);
  work_ += count;
  return first;
}

std::int64_t PointsToGraph::Memory::normal(std::int64_t offset) const {
  if (offset == any_offset) return any_offset;
  if (period < size) {  // offsets of an array count modulo its element
    const std::int64_t element = static_cast<std::int64_t>(period);
    return ((offset % element) + element) % element;
  }
  return offset >= 0 && static_cast<std::uint64_t>(offset) <= size ? offset : any_offset;
}

AddressId PointsToGraph::address(ObjectIndex object, std::int64_t wanted) {
  Memory& memory = memory_[object];
  const std::int64_t offset = memory.normal(wanted);
  const auto known = memory.addresses.find(offset);
  if (known != memory.addresses.end()) return known->second;
  if (memory.addresses.size() >= offsets_limit && offset != any_offset)
    return address(object, any_offset);
  const AddressId id = static_cast<AddressId>(addresses_.size());
  addresses_.push_back({object, offset});
  memory.addresses.emplace(offset, id);
  return id;
}

AddressId PointsToGraph::moved(AddressId from, Move move) {
  if (from == unknown_address || move == Move{}) return from;
  const AbstractAddress at = addresses_[from];
  if (at.offset == any_offset || objects_[at.object].kind == ObjectKind::function) return from;
  const Memory& memory = memory_[at.object];
  const bool stays =
      move.stride == 0 || (memory.period < memory.size && move.stride % memory.period == 0);
  // An array's offsets wrap around, so the one number that means "any" must not arise here.
  const std::int64_t offset = at.offset + move.add;
  if (!stays) return address(at.object, any_offset);
  if (offset < 0 && memory.period < memory.size)
    return address(at.object, offset + static_cast<std::int64_t>(memory.period) *
                                           (1 - offset / static_cast<std::int64_t>(memory.period)));
  return address(at.object, offset < 0 ? any_offset : offset);
}

// ---- constraints ---------------------------------------------------------------

void PointsToGraph::add(NodeId node, AddressId address) {
  Node& target = nodes_[node];
  if (std::binary_search(target.known.begin(), target.known.end(), address)) return;
  const auto at = std::lower_bound(target.fresh.begin(), target.fresh.end(), address);
  if (at != target.fresh.end() && *at == address) return;
  if (target.fresh.empty()) waiting_.push_back(node);
  target.fresh.insert(at, address);
  ++work_;
}

void PointsToGraph::link(NodeId from, NodeId to) {
  if (from == to || !links_.insert((std::uint64_t{from} << 32) | to).second) return;
  copy(from, to);
}

void PointsToGraph::copy(NodeId from, NodeId to, Move move) {
  nodes_[from].copies.push_back({to, move});
  for (const AddressId id : std::vector<AddressId>(nodes_[from].known)) add(to, moved(id, move));
}

void PointsToGraph::load(NodeId pointer, Move move, NodeId to, std::uint64_t bytes) {
  const Constraint constraint{Watch::load, move, to, bytes};
  nodes_[pointer].constraints.push_back(constraint);
  for (const AddressId id : std::vector<AddressId>(nodes_[pointer].known)) apply(constraint, id);
}

void PointsToGraph::store(NodeId pointer, Move move, NodeId from, std::uint64_t bytes) {
  const Constraint constraint{Watch::store, move, from, bytes};
  nodes_[pointer].constraints.push_back(constraint);
  for (const AddressId id : std::vector<AddressId>(nodes_[pointer].known)) apply(constraint, id);
}

void PointsToGraph::clobber(NodeId pointer) {
  const Constraint constraint{Watch::clobber, {}, 0, 0};
  nodes_[pointer].constraints.push_back(constraint);
  for (const AddressId id : std::vector<AddressId>(nodes_[pointer].known)) apply(constraint, id);
}

void PointsToGraph::watch_calls(NodeId pointer, std::uint32_t payload) {
  const Constraint constraint{Watch::call, {}, payload, 0};
  nodes_[pointer].constraints.push_back(constraint);
  for (const AddressId id : std::vector<AddressId>(nodes_[pointer].known)) apply(constraint, id);
}

NodeId PointsToGraph::cell(ObjectIndex object, std::int64_t offset) {
  const std::int64_t key =
      memory_[object].words ? offset - offset % static_cast<std::int64_t>(word_bytes_) : 0;
  const auto known = memory_[object].cells.find(key);
  if (known != memory_[object].cells.end()) return known->second;
  const NodeId node = add_nodes(1);
  memory_[object].cells.emplace(key, node);
  link(memory_[object].written_anywhere, node);
  link(node, memory_[object].read_anywhere);
  return node;
}

template <class Visit>
void PointsToGraph::for_each_cell(const AbstractAddress& at, std::uint64_t bytes,
                                  const Visit& visit) {
  const std::int64_t word = static_cast<std::int64_t>(word_bytes_);
  const std::int64_t last =
      at.offset + static_cast<std::int64_t>(std::max<std::uint64_t>(bytes, 1)) - 1;
  for (std::int64_t offset = at.offset; offset / word <= last / word; offset += word) {
    const std::int64_t part = memory_[at.object].normal(offset);
    if (part != any_offset) visit(cell(at.object, part));  // else it runs over the end
  }
}

void PointsToGraph::load_at(AddressId id, NodeId to, std::uint64_t bytes) {
  if (id == unknown_address) return add(to, unknown_address);
  const AbstractAddress at = addresses_[id];
  if (objects_[at.object].kind == ObjectKind::function) return;
  if (at.offset == any_offset) return link(memory_[at.object].read_anywhere, to);
  for_each_cell(at, bytes, [&](NodeId from) { link(from, to); });
}

void PointsToGraph::store_at(AddressId id, NodeId from, std::uint64_t bytes) {
  if (id == unknown_address) return link(from, stored_through_unknown_);
  const AbstractAddress at = addresses_[id];
  if (objects_[at.object].kind == ObjectKind::function) return;
  if (at.offset == any_offset) return link(from, memory_[at.object].written_anywhere);
  for_each_cell(at, bytes, [&](NodeId to) { link(from, to); });
}

void PointsToGraph::apply(const Constraint& constraint, AddressId address_id) {
  const AddressId id = moved(address_id, constraint.move);
  switch (constraint.kind) {
    case Watch::load:
      return load_at(id, constraint.other, constraint.bytes);
    case Watch::store:
      return store_at(id, constraint.other, constraint.bytes);
    case Watch::clobber:
      if (id == unknown_address) return add(stored_through_unknown_, unknown_address);
      return add(memory_[addresses_[id].object].written_anywhere, unknown_address);
    case Watch::call:
      if (id == unknown_address || objects_[addresses_[id].object].kind == ObjectKind::function)
        calls_.push_back({constraint.other, id});
      return;
  }
}

// ---- solving -------------------------------------------------------------------

void PointsToGraph::propagate(NodeId node) {
  const std::vector<AddressId> fresh = std::exchange(nodes_[node].fresh, {});
  std::vector<AddressId> merged;
  std::set_union(nodes_[node].known.begin(), nodes_[node].known.end(), fresh.begin(), fresh.end(),
                 std::back_inserter(merged));
  nodes_[node].known = std::move(merged);
  // Both lists may grow on the way; what is added later has seen `known` already.
  const std::size_t copies = nodes_[node].copies.size();
  const std::size_t constraints = nodes_[node].constraints.size();
  for (std::size_t i = 0; i < copies; ++i) {
    const CopyEdge edge = nodes_[node].copies[i];
    for (const AddressId id : fresh) add(edge.to, moved(id, edge.move));
    work_ += fresh.size();
  }
  for (std::size_t i = 0; i < constraints; ++i) {
    const Constraint constraint = nodes_[node].constraints[i];
    for (const AddressId id : fresh) apply(constraint, id);
    work_ += fresh.size();
  }
}

bool PointsToGraph::next_call(FoundCall& found) {
  while (!waiting_.empty() && calls_.empty() && !exhausted()) {
    const NodeId node = waiting_.back();
    waiting_.pop_back();
    propagate(node);
  }
  if (calls_.empty()) return false;
  found = calls_.back();
  calls_.pop_back();
  return true;
}

}  // namespace heddle::passes
