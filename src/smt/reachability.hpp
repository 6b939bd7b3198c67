// Which node reaches which while edges come and go in stack order. Every node has a
// clock: for each chain of the unconditional order the last place that reaches the
// node. A new edge raises clocks downstream, and remembers them for the way back; so
// a cycle shows before its last edge is added, and every new pair can be listed.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "smt/static_order.hpp"

namespace heddle::smt {

// An edge that holds because some literals do.
struct Edge {
  Node from = 0;
  Node to = 0;
  std::array<Lit, 3> reasons{};  // invalid ones at the end
};

class Reachability {
 public:
  using Chain = StaticOrder::Chain;
  using Place = StaticOrder::Place;

  // The places (before, now] of the chain reach the node since the last added edge.
  struct Raise {
    Node node = 0;
    Chain chain = 0;
    Place before = 0;
    Place now = 0;
  };

  explicit Reachability(const StaticOrder& fixed) : fixed_(fixed) {}
  void start();  // once the unconditional order is frozen

  bool reaches(Node first, Node second) const {  // or the same node
    return clocks_[std::size_t{second} * chains_ + fixed_.chain(first)] >= fixed_.place(first);
  }

  // Must not close a cycle. The raises live until the next call.
  std::span<const Raise> add(const Edge& edge);
  std::uint32_t edges() const { return static_cast<std::uint32_t>(edges_.size()); }
  void remove_from(std::uint32_t count);  // keeps the first `count` edges

  // Appends the literals along a path with as few edges as can be, all among the first
  // `count` of them. There must be such a path.
  void explain(Node from, Node to, std::uint32_t count, std::vector<Lit>& reasons) const;

  // All nodes in an order that has all edges: one chain as long as it goes.
  std::vector<Node> linear_order() const;

 private:
  void raise(Node node, Chain chain, Place now);
  std::uint32_t last_edge_to(Node from, Node to, std::uint32_t count) const;

  static constexpr std::uint32_t no_edge = UINT32_MAX;
  struct Undo {
    Node node;
    Chain chain;
    Place place;
  };

  const StaticOrder& fixed_;
  std::uint32_t chains_ = 0;
  std::vector<Place> clocks_{};
  std::vector<Edge> edges_{};
  std::vector<std::size_t> undo_size_{};  // before each edge
  std::vector<Undo> undo_{};
  std::vector<std::vector<std::uint32_t>> out_{};  // edges that leave a node
  std::vector<Raise> raises_{};

  // Of explain(): what the search saw, told from earlier searches by the stamp.
  mutable std::uint64_t search_ = 0;
  mutable std::vector<std::uint64_t> seen_{};
  mutable std::vector<std::uint32_t> via_{};  // the last edge on the way to the node
  mutable std::vector<Node> layer_{};
  mutable std::vector<std::uint32_t> next_layer_{};
};

}  // namespace heddle::smt
