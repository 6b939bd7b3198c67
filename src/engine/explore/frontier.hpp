// The states still to be expanded, in the order asked for. States are compared by one cost
// after the other, such as preemptions, then active threads; among equals the newest comes
// first, or the oldest in a breadth-first search. Every order ends with all states expanded.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "engine/explore/options.hpp"
#include "engine/explore/state_table.hpp"

namespace heddle::engine::explore {

class Frontier {
 public:
  explicit Frontier(const std::vector<Order>& orders) {
    for (const Order order : orders) {
      if (order == Order::depth_first || order == Order::breadth_first)
        oldest_first_ = order == Order::breadth_first;
      else
        costs_.push_back(order);
    }
  }

  // `active` is the number of threads that have not ended.
  void push(NodeId id, const Node& node, std::uint32_t active) {
    std::uint64_t cost = 0;
    for (const Order order : costs_)
      cost = cost << cost_bits | std::min(cost_of(order, node, active), highest_cost);
    buckets_[cost].push_back(id);
  }

  // no_node when all is done.
  NodeId pop() {
    if (buckets_.empty()) return no_node;
    const auto first = buckets_.begin();
    std::deque<NodeId>& bucket = first->second;
    const NodeId id = oldest_first_ ? bucket.front() : bucket.back();
    if (oldest_first_)
      bucket.pop_front();
    else
      bucket.pop_back();
    if (bucket.empty()) buckets_.erase(first);
    return id;
  }

 private:
  static constexpr std::uint32_t cost_bits = 20;
  static constexpr std::uint64_t highest_cost = (1U << cost_bits) - 1;
  // A long way counts like preemptions after a while, so that an execution that goes on for ever
  // does not starve all others.
  static constexpr std::uint32_t moves_like_a_preemption = 64;

  static std::uint64_t cost_of(Order order, const Node& node, std::uint32_t active) {
    switch (order) {
      case Order::preemptions:
        return node.preemptions + node.moves / moves_like_a_preemption;
      case Order::switches:
        return node.switches + node.moves / moves_like_a_preemption;
      case Order::threads:
        return active;
      case Order::depth_first:
      case Order::breadth_first:
        break;
    }
    return 0;
  }

  std::vector<Order> costs_{};
  bool oldest_first_ = false;
  std::map<std::uint64_t, std::deque<NodeId>> buckets_{};  // by cost
};

}  // namespace heddle::engine::explore
