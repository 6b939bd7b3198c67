#include "smt/reachability.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/check.hpp"

namespace heddle::smt {

void Reachability::start() {
  chains_ = fixed_.chains();
  clocks_ = fixed_.clocks();
  out_.assign(fixed_.size(), {});
  seen_.assign(fixed_.size(), 0);
  via_.assign(fixed_.size(), no_edge);
}

void Reachability::raise(Node node, Chain chain, Place now) {
  Place& place = clocks_[std::size_t{node} * chains_ + chain];
  undo_.push_back({node, chain, place});
  raises_.push_back({node, chain, place, now});
  place = now;
}

std::span<const Reachability::Raise> Reachability::add(const Edge& edge) {
  undo_size_.push_back(undo_.size());
  out_[edge.from].push_back(edges());
  edges_.push_back(edge);
  raises_.clear();
  for (Chain chain = 0; chain < chains_; ++chain) {
    const Place now = clocks_[std::size_t{edge.from} * chains_ + chain];
    if (now > clocks_[std::size_t{edge.to} * chains_ + chain]) raise(edge.to, chain, now);
  }
  for (std::size_t next = 0; next < raises_.size(); ++next) {
    const Raise done = raises_[next];
    const auto pass_on = [&](Node later) {
      if (clocks_[std::size_t{later} * chains_ + done.chain] < done.now)
        raise(later, done.chain, done.now);
    };
    for (const Node later : fixed_.successors(done.node)) pass_on(later);
    for (const std::uint32_t out : out_[done.node]) pass_on(edges_[out].to);
  }
  return raises_;
}

void Reachability::remove_from(std::uint32_t count) {
  if (count >= edges()) return;
  const std::size_t keep = undo_size_[count];
  while (undo_.size() > keep) {
    const Undo& last = undo_.back();
    clocks_[std::size_t{last.node} * chains_ + last.chain] = last.place;
    undo_.pop_back();
  }
  while (edges() > count) {
    out_[edges_.back().from].pop_back();
    edges_.pop_back();
  }
  undo_size_.resize(count);
}

void Reachability::explain(Node from, Node to, std::uint32_t count,
                           std::vector<Lit>& reasons) const {
  std::uint32_t edge = last_edge_to(from, to, count);
  while (edge != no_edge) {
    for (const Lit reason : edges_[edge].reasons)
      if (reason.valid()) reasons.push_back(reason);
    edge = via_[edges_[edge].from];
  }
}

// Breadth first over conditional edges; unconditional ones are free. Looks only at nodes
// that reach the end today, which are more than those that did when `count` edges were there.
std::uint32_t Reachability::last_edge_to(Node from, Node to, std::uint32_t count) const {
  ++search_;
  layer_.assign(1, from);
  seen_[from] = search_;
  via_[from] = no_edge;
  while (!layer_.empty()) {
    next_layer_.clear();
    for (std::size_t next = 0; next < layer_.size(); ++next) {
      const Node node = layer_[next];
      if (fixed_.reaches(node, to)) return via_[node];
      for (const Node later : fixed_.successors(node)) {
        if (seen_[later] == search_ || !reaches(later, to)) continue;
        seen_[later] = search_;
        via_[later] = via_[node];
        layer_.push_back(later);
      }
      for (const std::uint32_t edge : out_[node])
        if (edge < count && reaches(edges_[edge].to, to)) next_layer_.push_back(edge);
    }
    layer_.clear();
    for (const std::uint32_t edge : next_layer_) {
      const Node node = edges_[edge].to;
      if (seen_[node] == search_) continue;
      seen_[node] = search_;
      via_[node] = edge;
      layer_.push_back(node);
    }
  }
  CHECK(false, "a path that is asked for is there");
}

std::vector<Node> Reachability::linear_order() const {
  const std::uint32_t size = fixed_.size();
  std::vector<std::uint32_t> missing(size, 0);
  const auto each_next = [&](Node node, const auto& visit) {
    for (const Node later : fixed_.successors(node)) visit(later);
    for (const std::uint32_t edge : out_[node]) visit(edges_[edge].to);
  };
  for (Node node = 0; node < size; ++node) each_next(node, [&](Node next) { ++missing[next]; });
  std::priority_queue<Node, std::vector<Node>, std::greater<>> ready;
  for (Node node = 0; node < size; ++node)
    if (missing[node] == 0) ready.push(node);
  std::vector<Node> order;
  order.reserve(size);
  std::vector<char> done(size, 0);
  while (!ready.empty()) {
    Node node = ready.top();
    ready.pop();
    if (done[node]) continue;
    for (bool go_on = true; go_on;) {
      order.push_back(node);
      done[node] = 1;
      go_on = false;
      Node same_chain = node;
      each_next(node, [&](Node next) {
        if (--missing[next] != 0) return;
        ready.push(next);
        if (!go_on && fixed_.chain(next) == fixed_.chain(node)) {
          same_chain = next;
          go_on = true;
        }
      });
      node = same_chain;
    }
  }
  CHECK(order.size() == size, "the edges form no cycle");
  return order;
}

}  // namespace heddle::smt
