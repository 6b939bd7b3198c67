#include "engine/explore/state_table.hpp"

#include <utility>

namespace heddle::engine::explore {

StateTable::Insertion StateTable::insert(Node node) {
  node.hash = node.state.hash();
  if (2 * (nodes_.size() + 1) > slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = node.hash & mask;
  for (; slots_[at] != no_node; at = (at + 1) & mask) {
    const Node& known = nodes_[slots_[at]];
    if (known.hash == node.hash && known.state == node.state) return {slots_[at], false};
  }
  const NodeId id = static_cast<NodeId>(nodes_.size());
  slots_[at] = id;
  nodes_.push_back(std::move(node));
  return {id, true};
}

void StateTable::grow() {
  std::vector<NodeId> wider(slots_.size() * 2, no_node);
  const std::size_t mask = wider.size() - 1;
  for (NodeId id = 0; id < nodes_.size(); ++id) {
    std::size_t at = nodes_[id].hash & mask;
    while (wider[at] != no_node) at = (at + 1) & mask;
    wider[at] = id;
  }
  slots_ = std::move(wider);
}

}  // namespace heddle::engine::explore
