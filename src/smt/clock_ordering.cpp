#include "smt/clock_ordering.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <utility>

#include "base/check.hpp"
#include "smt/cadical.hpp"
#include "smt/static_order.hpp"

namespace heddle::smt {
namespace {

class ClockOrdering final : public Ordering {
 public:
  ClockOrdering() { yes_ = sat_->yes(); }

  using Sat::add_clause;
  Lit fresh() override { return sat_->fresh(); }
  void add_clause(std::span<const Lit> literals) override { sat_->add_clause(literals); }
  SatAnswer solve(std::span<const Lit> assumptions, const base::Budget& budget) override;
  bool value(Lit literal) const override { return sat_->value(literal); }

  Node add_node() override { return fixed_.add_node(); }
  void add_order(Node first, Node second) override {
    fixed_.add_edge(first, second);
    edges_.emplace_back(first, second);
  }
  bool surely_before(Node first, Node second) const override {
    fixed_.freeze();
    return fixed_.before(first, second);
  }
  void add_order_if(Lit when, Node first, Node second) override {
    if (first == second)
      add_clause({~when});
    else
      add_clause({~when, before(first, second)});
  }
  Lit before(Node first, Node second) override;
  Cell add_cell() override {
    cells_.emplace_back();
    return static_cast<Cell>(cells_.size() - 1);
  }
  Write add_write(Cell cell, Node node, Lit guard) override;
  void add_read(Cell cell, Node node, std::span<const Source> sources) override;
  std::vector<Node> order() const override { return order_; }

 private:
  struct WriteEvent {
    Node node;
    Lit guard;
  };
  struct SourceEvent {
    Node read;
    Write write;
    Lit chosen;
  };
  struct CellEvents {
    std::vector<Write> writes;
    std::vector<SourceEvent> sources;
  };

  void make_clocks();
  Lit less(Node first, Node second);
  void keep_out(const SourceEvent& source, Write other);

  std::unique_ptr<Sat> sat_ = make_cadical();
  mutable StaticOrder fixed_{};  // frozen by the first question
  std::vector<std::pair<Node, Node>> edges_{};
  std::vector<std::vector<Lit>> clocks_{};  // per node, lowest bit first
  std::map<std::pair<Node, Node>, Lit> before_{};
  std::vector<CellEvents> cells_{};
  std::vector<WriteEvent> writes_{};
  std::vector<Node> order_{};
};

// Enough bits for as many times as there are nodes.
void ClockOrdering::make_clocks() {
  fixed_.freeze();
  if (!clocks_.empty() || fixed_.size() == 0) return;
  const auto width = static_cast<std::size_t>(std::bit_width(fixed_.size() - 1));
  clocks_.resize(fixed_.size());
  for (auto& clock : clocks_) {
    clock.resize(width);
    for (Lit& bit : clock) bit = fresh();
  }
  for (const auto& [first, second] : edges_) add_clause({less(first, second)});
}

// A literal equivalent to: the time of the first is less than that of the second.
Lit ClockOrdering::less(Node first, Node second) {
  Lit result = no();
  for (std::size_t bit = 0; bit < clocks_[first].size(); ++bit) {
    const Lit left = clocks_[first][bit];
    const Lit right = clocks_[second][bit];
    const Lit so_far = result;
    result = fresh();
    add_clause({left, ~right, result});
    add_clause({~left, right, ~result});
    add_clause({~left, ~right, ~so_far, result});
    add_clause({~left, ~right, so_far, ~result});
    add_clause({left, right, ~so_far, result});
    add_clause({left, right, so_far, ~result});
  }
  return result;
}

Lit ClockOrdering::before(Node first, Node second) {
  CHECK(first != second, "order is between different nodes");
  make_clocks();
  CHECK(first < fixed_.size() && second < fixed_.size(), "orders are between nodes that exist");
  if (fixed_.before(first, second)) return yes();
  if (fixed_.before(second, first)) return no();
  if (first > second) return ~before(second, first);
  const auto [entry, is_new] = before_.try_emplace({first, second});
  if (is_new) {
    entry->second = less(first, second);
    const Lit other = less(second, first);
    add_clause({entry->second, other});  // never at the same time
  }
  return entry->second;
}

Write ClockOrdering::add_write(Cell cell, Node node, Lit guard) {
  const auto id = static_cast<Write>(writes_.size());
  writes_.push_back({node, guard});
  for (const SourceEvent& source : cells_[cell].sources) keep_out(source, id);
  cells_[cell].writes.push_back(id);
  return id;
}

void ClockOrdering::add_read(Cell cell, Node node, std::span<const Source> sources) {
  for (const auto& [write, chosen] : sources) {
    const SourceEvent source{node, write, chosen};
    cells_[cell].sources.push_back(source);
    add_order_if(chosen, writes_[write].node, node);
    for (const Write other : cells_[cell].writes) keep_out(source, other);
  }
}

// The other write, if it happens, is not between the source and the read.
void ClockOrdering::keep_out(const SourceEvent& source, Write other) {
  if (other == source.write || writes_[other].node == source.read) return;
  const Node node = writes_[other].node;
  add_clause({~source.chosen, ~writes_[other].guard, before(node, writes_[source.write].node),
              before(source.read, node)});
}

SatAnswer ClockOrdering::solve(std::span<const Lit> assumptions, const base::Budget& budget) {
  make_clocks();
  const SatAnswer answer = sat_->solve(assumptions, budget);
  if (answer != SatAnswer::sat) return answer;
  std::vector<std::uint64_t> times(fixed_.size(), 0);
  for (Node node = 0; node < fixed_.size(); ++node)
    for (std::size_t bit = 0; bit < clocks_[node].size(); ++bit)
      times[node] |= std::uint64_t{value(clocks_[node][bit])} << bit;
  order_.resize(fixed_.size());
  std::iota(order_.begin(), order_.end(), Node{0});
  // Nodes of the same time are in no constraint together: any order of them does.
  std::stable_sort(order_.begin(), order_.end(),
                   [&](Node left, Node right) { return times[left] < times[right]; });
  return answer;
}

}  // namespace

std::unique_ptr<Ordering> make_clock_ordering() { return std::make_unique<ClockOrdering>(); }

}  // namespace heddle::smt
