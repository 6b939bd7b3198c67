#include "smt/static_order.hpp"

#include <algorithm>
#include <functional>
#include <queue>

#include "base/check.hpp"

namespace heddle::smt {

Node StaticOrder::add_node() {
  CHECK(!frozen_, "nodes come before everything else");
  successors_.emplace_back();
  predecessors_.emplace_back();
  return size() - 1;
}

void StaticOrder::add_edge(Node first, Node second) {
  CHECK(!frozen_, "unconditional orders come before the conditional ones");
  CHECK(first < size() && second < size(), "orders are between nodes that exist");
  successors_[first].push_back(second);
  predecessors_[second].push_back(first);
}

std::vector<Node> StaticOrder::sorted() const {
  std::vector<std::size_t> missing(size());
  std::priority_queue<Node, std::vector<Node>, std::greater<>> ready;
  for (Node node = 0; node < size(); ++node) {
    missing[node] = predecessors_[node].size();
    if (missing[node] == 0) ready.push(node);
  }
  std::vector<Node> order;
  order.reserve(size());
  while (!ready.empty()) {
    const Node node = ready.top();
    ready.pop();
    order.push_back(node);
    for (const Node next : successors_[node])
      if (--missing[next] == 0) ready.push(next);
  }
  CHECK(order.size() == size(), "unconditional orders have no cycle");
  return order;
}

void StaticOrder::cut_into_chains(std::span<const Node> order) {
  chain_.assign(size(), 0);
  place_.assign(size(), 0);
  std::vector<Node> last;  // of each chain
  for (const Node node : order) {
    const auto& candidates = predecessors_[node];
    const auto tail = std::find_if(candidates.begin(), candidates.end(), [&](Node candidate) {
      return last[chain_[candidate]] == candidate;
    });
    if (tail == candidates.end()) {
      chain_[node] = static_cast<Chain>(last.size());
      last.push_back(node);
    } else {
      chain_[node] = chain_[*tail];
      place_[node] = place_[*tail] + 1;
      last[chain_[node]] = node;
    }
  }
  chains_ = static_cast<std::uint32_t>(last.size());
}

void StaticOrder::freeze() {
  if (frozen_) return;
  const std::vector<Node> order = sorted();
  cut_into_chains(order);
  clocks_.assign(std::size_t{size()} * chains_, -1);
  for (const Node node : order) {
    Place* const row = clocks_.data() + std::size_t{node} * chains_;
    for (const Node earlier : predecessors_[node]) {
      const Place* const other = clocks_.data() + std::size_t{earlier} * chains_;
      for (Chain chain = 0; chain < chains_; ++chain)
        row[chain] = std::max(row[chain], other[chain]);
    }
    row[chain_[node]] = place_[node];
  }
  frozen_ = true;
}

}  // namespace heddle::smt
