// The states seen so far, numbered in the order of their discovery. The state itself
// is kept until it is expanded; from then on the set knows it in compressed form,
// and the way to it is enough to have it again.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/explore/options.hpp"
#include "engine/explore/reached_set.hpp"
#include "machine/state.hpp"

namespace heddle::engine::explore {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = UINT32_MAX;

// How a state was first reached. The steps in between are not kept: a move is a function of the
// state where it starts, so they can be had again.
struct Node {
  std::unique_ptr<const machine::State> state{};  // null once expanded
  NodeId parent = no_node;
  machine::ThreadNumber thread = 0;      // that moved
  machine::ThreadNumber running = 0;     // the last one that moved by choice
  std::optional<std::uint64_t> input{};  // that its first step took
  std::uint32_t moves = 0;               // from the initial state; long ones count more than once
  std::uint32_t preemptions = 0;         // of these, away from a thread that could have gone on
  std::uint32_t switches = 0;            // of these, to another thread than the one before
  std::uint64_t steps = 0;
  bool interrupted = false;  // in the middle of a long chain: every thread gets a turn here
  bool discarded = false;    // some thread is at an Assume that does not hold

  bool expanded() const { return state == nullptr; }
};

class StateTable {
 public:
  explicit StateTable(ReachedKind kind) : seen_(kind) {}

  struct Insertion {
    NodeId node = no_node;
    bool fresh = false;
  };
  // `node.state` must be there. It is known by `name`, a state that may stand for several.
  Insertion insert(Node node, const machine::State& name) {
    const machine::StateSet::Entry entry = seen_.insert(name);
    if (entry.fresh) nodes_.push_back(std::move(node));
    return {entry.number, entry.fresh};
  }

  Node& operator[](NodeId id) { return nodes_[id]; }
  const Node& operator[](NodeId id) const { return nodes_[id]; }
  std::size_t size() const { return nodes_.size(); }

 private:
  ReachedSet seen_;
  std::deque<Node> nodes_{};
};

}  // namespace heddle::engine::explore
