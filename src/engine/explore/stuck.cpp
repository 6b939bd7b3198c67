#include "engine/explore/stuck.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace heddle::engine::explore {
namespace {

// Tarjan's algorithm with its own stack; components are numbered in the order of their completion,
// so an edge leads out of a component exactly if it leads to a smaller number.
class Components {
 public:
  Components(std::size_t count, std::vector<GraphEdge> edges)
      : edges_(std::move(edges)),
        first_(count + 1, 0),
        of_(count, no_node),
        low_(count, 0),
        order_(count, 0) {
    std::sort(edges_.begin(), edges_.end(), [](const GraphEdge& a, const GraphEdge& b) {
      return std::tie(a.from, a.to) < std::tie(b.from, b.to);
    });
    for (const GraphEdge& edge : edges_) ++first_[edge.from + 1];
    for (std::size_t i = 1; i <= count; ++i) first_[i] += first_[i - 1];
    for (NodeId node = 0; node < count; ++node)
      if (order_[node] == 0) visit(node);
  }

  std::uint32_t count() const { return components_; }
  std::uint32_t of(NodeId node) const { return of_[node]; }
  const std::vector<GraphEdge>& edges() const { return edges_; }

 private:
  void enter(NodeId node) {
    order_[node] = low_[node] = ++entered_;
    open_.push_back(node);
    path_.push_back({node, first_[node]});
  }

  void visit(NodeId root) {
    enter(root);
    while (!path_.empty()) {
      const NodeId node = path_.back().first;
      if (path_.back().second < first_[node + 1]) {
        const NodeId to = edges_[path_.back().second++].to;
        if (to == no_node) continue;
        if (order_[to] == 0)
          enter(to);
        else if (of_[to] == no_node)
          low_[node] = std::min(low_[node], order_[to]);
      } else {
        leave(node);
      }
    }
  }

  void leave(NodeId node) {
    path_.pop_back();
    if (!path_.empty()) {
      const NodeId parent = path_.back().first;
      low_[parent] = std::min(low_[parent], low_[node]);
    }
    if (low_[node] != order_[node]) return;
    NodeId member = no_node;
    do {
      member = open_.back();
      open_.pop_back();
      of_[member] = components_;
    } while (member != node);
    ++components_;
  }

  std::vector<GraphEdge> edges_;
  std::vector<std::size_t> first_;  // by node: its first edge
  std::vector<std::uint32_t> of_, low_, order_;
  std::vector<NodeId> open_{};
  std::vector<std::pair<NodeId, std::size_t>> path_{};
  std::uint32_t entered_ = 0, components_ = 0;
};

}  // namespace

bool has_unowned_waits(const ir::Program& program) {
  for (const ir::Location& location : program.locations())
    for (const ir::EdgeId edge : location.out) {
      const auto* await = std::get_if<ir::Await>(&program.edge(edge).statement);
      if (await != nullptr && await->waits_for == ir::WaitsFor::anyone) return true;
    }
  return false;
}

std::vector<machine::ThreadNumber> blocked_threads(const machine::State& state,
                                                   const machine::Machine& machine) {
  std::vector<machine::ThreadNumber> blocked;
  for (machine::ThreadNumber thread = 0; thread < state.thread_count(); ++thread)
    if (machine.live(state, thread) && machine.blocked(state, thread)) blocked.push_back(thread);
  const auto waits_for_one_that_runs = [&](machine::ThreadNumber thread) {
    const auto wait = machine.wait(state, thread);
    return wait && wait->holder && machine.live(state, *wait->holder) &&
           !std::binary_search(blocked.begin(), blocked.end(), *wait->holder);
  };
  for (;;) {
    const auto free = std::find_if(blocked.begin(), blocked.end(), waits_for_one_that_runs);
    if (free == blocked.end()) return blocked;
    blocked.erase(free);
  }
}

std::optional<StuckThreads> find_stuck(const StateTable& nodes, StateGraph graph) {
  const Components components(nodes.size(), std::move(graph.edges));
  // A component counts if nothing leads out of it and no execution in it is discarded by an Assume.
  std::vector<std::uint8_t> counts(components.count(), 1);
  for (const GraphEdge& edge : components.edges())
    if (edge.to == no_node || components.of(edge.from) != components.of(edge.to))
      counts[components.of(edge.from)] = 0;
  for (NodeId node = 0; node < nodes.size(); ++node)
    if (nodes[node].discarded) counts[components.of(node)] = 0;

  std::vector<std::optional<StuckThreads>> stuck(components.count());
  for (NodeId node = 0; node < nodes.size(); ++node) {
    const std::uint32_t component = components.of(node);
    if (counts[component] == 0) continue;
    std::vector<machine::ThreadNumber>& blocked = graph.blocked[node];
    if (!stuck[component]) {
      stuck[component] = StuckThreads{node, std::move(blocked)};
      continue;
    }
    std::vector<machine::ThreadNumber>& common = stuck[component]->threads;
    std::erase_if(common, [&](machine::ThreadNumber thread) {
      return !std::binary_search(blocked.begin(), blocked.end(), thread);
    });
  }
  std::optional<StuckThreads> first;
  for (const std::optional<StuckThreads>& found : stuck)
    if (found && !found->threads.empty() && (!first || found->node < first->node)) first = found;
  return first;
}

}  // namespace heddle::engine::explore
