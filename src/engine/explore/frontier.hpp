// The states still to be expanded. Few preemptions come first; among equals the
// newest. A long way counts like preemptions after a while, so that an execution
// that goes on for ever does not starve all others.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/explore/state_table.hpp"

namespace heddle::engine::explore {

class Frontier {
 public:
  void push(NodeId id, const Node& node) {
    const std::size_t cost = node.preemptions + node.moves / moves_like_a_preemption;
    if (cost >= buckets_.size()) buckets_.resize(cost + 1);
    buckets_[cost].push_back(id);
    if (cost < first_) first_ = cost;
  }

  // no_node when all is done.
  NodeId pop() {
    while (first_ < buckets_.size() && buckets_[first_].empty()) ++first_;
    if (first_ == buckets_.size()) return no_node;
    const NodeId id = buckets_[first_].back();
    buckets_[first_].pop_back();
    return id;
  }

 private:
  static constexpr std::uint32_t moves_like_a_preemption = 64;
  std::vector<std::vector<NodeId>> buckets_{};  // by cost
  std::size_t first_ = 0;                       // no bucket before this one holds anything
};

}  // namespace heddle::engine::explore
