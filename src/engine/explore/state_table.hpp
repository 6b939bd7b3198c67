// The states seen so far, numbered in the order of their discovery.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "machine/state.hpp"

namespace heddle::engine::explore {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = UINT32_MAX;

// How a state was first reached. The steps in between are not kept: a move is a function of the
// state where it starts, so they can be had again.
struct Node {
  machine::State state;
  std::uint64_t hash = 0;
  NodeId parent = no_node;
  machine::ThreadNumber thread = 0;      // that moved
  std::optional<std::uint64_t> input{};  // that its first step took
  std::uint32_t moves = 0;               // from the initial state
  std::uint32_t preemptions = 0;         // of these, away from a thread that could have gone on
  std::uint64_t steps = 0;
  bool interrupted = false;  // in the middle of a long chain: every thread gets a turn here
  bool expanded = false;
  bool discarded = false;  // some thread is at an Assume that does not hold
};

class StateTable {
 public:
  struct Insertion {
    NodeId node = no_node;
    bool fresh = false;
  };
  Insertion insert(Node node);

  Node& operator[](NodeId id) { return nodes_[id]; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  void grow();

  std::deque<Node> nodes_{};
  std::vector<NodeId> slots_ = std::vector<NodeId>(1024, no_node);  // open addressing
};

}  // namespace heddle::engine::explore
