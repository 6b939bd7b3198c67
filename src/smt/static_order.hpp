// The unconditional part of an order, frozen once complete. The nodes are cut into
// chains (a thread is a chain); for each node and chain it knows the last place of
// the chain that comes before the node, so that asking for order costs one look.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "smt/ordering.hpp"

namespace heddle::smt {

class StaticOrder {
 public:
  using Chain = std::uint32_t;
  using Place = std::int32_t;  // in its chain, from 0; -1: before all of them

  Node add_node();
  void add_edge(Node first, Node second);
  void freeze();  // does nothing the second time. The edges must not form a cycle.

  std::uint32_t size() const { return static_cast<std::uint32_t>(successors_.size()); }
  bool frozen() const { return frozen_; }

  // ---- once frozen ----
  bool before(Node first, Node second) const { return first != second && reaches(first, second); }
  bool reaches(Node first, Node second) const {  // or the same node
    return clocks_[std::size_t{second} * chains_ + chain_[first]] >= place_[first];
  }
  std::uint32_t chains() const { return chains_; }
  Chain chain(Node node) const { return chain_[node]; }
  Place place(Node node) const { return place_[node]; }
  // For each node, for each chain: the last place that reaches the node.
  const std::vector<Place>& clocks() const { return clocks_; }
  std::span<const Node> successors(Node node) const { return successors_[node]; }

 private:
  std::vector<Node> sorted() const;
  void cut_into_chains(std::span<const Node> order);

  std::vector<std::vector<Node>> successors_{};
  std::vector<std::vector<Node>> predecessors_{};
  std::vector<Chain> chain_{};
  std::vector<Place> place_{};
  std::vector<Place> clocks_{};
  std::uint32_t chains_ = 0;
  bool frozen_ = false;
};

}  // namespace heddle::smt
