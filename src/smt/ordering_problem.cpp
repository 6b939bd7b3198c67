// How the ordering theory takes in a problem: literals are watched, pairs of writes
// get an order literal where some read depends on it.
#include <algorithm>

#include "base/check.hpp"
#include "smt/ordering_theory.hpp"

namespace heddle::smt {

OrderingTheory::OrderingTheory(const TheoryOptions& options, std::function<Lit()> fresh, Lit yes)
    : options_(options), fresh_(std::move(fresh)), yes_(yes), reachable_(fixed_) {}

void OrderingTheory::freeze() {
  if (fixed_.frozen()) return;
  fixed_.freeze();
  reachable_.start();
  writes_at_.resize(fixed_.size());
  reads_at_.resize(fixed_.size());
  candidates_.resize(fixed_.size());
}

void OrderingTheory::watch(Lit literal, Use use) {
  CHECK(literal.valid(), "constraints are about literals of the solver");
  const std::size_t needed = 2 * (static_cast<std::size_t>(literal.variable()) + 1);
  if (uses_.size() < needed) {
    uses_.resize(needed);
    watched_.resize(needed, 0);
    values_.resize(needed, 0);
    implied_.resize(needed, 0);
  }
  uses_[literal.code].push_back(use);
  watched_[literal.code] = watched_[(~literal).code] = 1;
}

void OrderingTheory::add_order_if(Lit when, Node first, Node second) {
  CHECK(first < fixed_.size() && second < fixed_.size(), "orders are between nodes that exist");
  if (fixed_.before(first, second)) return;
  watch(when, {Use::Kind::edge, first, second});
  candidates_[first].push_back({fixed_.chain(second), fixed_.place(second), second, when});
  sorted_ = false;
}

Lit OrderingTheory::before(Node first, Node second) {
  CHECK(first < fixed_.size() && second < fixed_.size(), "orders are between nodes that exist");
  CHECK(first != second, "order is between different nodes");
  if (fixed_.before(first, second)) return yes_;
  if (fixed_.before(second, first)) return ~yes_;
  if (first > second) return ~before(second, first);
  const auto [entry, is_new] = before_.try_emplace({first, second});
  if (is_new) {
    entry->second = fresh_();
    add_order_if(entry->second, first, second);
    add_order_if(~entry->second, second, first);
  }
  return entry->second;
}

Cell OrderingTheory::add_cell() {
  cells_.emplace_back();
  return static_cast<Cell>(cells_.size() - 1);
}

Lit& OrderingTheory::pair(Write first, Write second) {
  return cells_[writes_[first].cell].before[writes_[first].index][writes_[second].index];
}

Write OrderingTheory::add_write(Cell cell_id, Node node, Lit guard) {
  CHECK(cell_id < cells_.size() && node < fixed_.size(),
        "writes are in cells and nodes that exist");
  CellEvents& cell = cells_[cell_id];
  for (const Write other : writes_at_[node])
    CHECK(writes_[other].cell != cell_id, "a node writes a cell once");
  const auto id = static_cast<Write>(writes_.size());
  writes_.push_back({cell_id, node, guard, static_cast<std::uint32_t>(cell.writes.size()), {}});
  cell.writes.push_back(id);
  for (auto& row : cell.before) row.resize(cell.writes.size());
  cell.before.emplace_back(cell.writes.size());
  writes_at_[node].push_back(id);
  watch(guard, {Use::Kind::guard, id, 0});
  for (const ReadId read : cell.reads)
    for (const SourceId source : reads_[read].sources.all) need_order(sources_[source], id);
  sorted_ = false;
  return id;
}

void OrderingTheory::add_read(Cell cell, Node node, std::span<const Source> sources) {
  CHECK(cell < cells_.size() && node < fixed_.size(), "reads are in cells and nodes that exist");
  undo_from(0);  // new choices are open, and so come before the closed ones
  const auto read = static_cast<ReadId>(reads_.size());
  reads_.push_back({cell, node, {}});
  for (const auto& [write, chosen] : sources) {
    CHECK(write < writes_.size() && writes_[write].cell == cell, "sources are in the read's cell");
    CHECK(writes_[write].node != node, "a read never takes its value from its own node");
    const auto id = static_cast<SourceId>(sources_.size());
    Choices& of_write = writes_[write].sources;
    Choices& of_read = reads_[read].sources;
    sources_.push_back({write, read, chosen, of_write.open++, of_read.open++});
    of_write.all.push_back(id);
    of_read.all.push_back(id);
    add_order_if(chosen, writes_[write].node, node);
    watch(chosen, {Use::Kind::source, id, 0});
    watch(~chosen, {Use::Kind::no_source, id, 0});
    for (const Write other : cells_[cell].writes) need_order(sources_[id], other);
  }
  cells_[cell].reads.push_back(read);
  reads_at_[node].push_back(read);
  sorted_ = false;
}

// Only where it matters: a write before the source or after the read harms nobody.
void OrderingTheory::need_order(const SourceEvent& source, Write other) {
  const Write write = source.write;
  const Node read_node = reads_[source.read].node;
  const Node other_node = writes_[other].node;
  if (write == other || other_node == read_node || fixed_.before(read_node, other_node)) return;
  if (fixed_.before(other_node, writes_[write].node) || pair(write, other).valid()) return;
  const Lit order = before(writes_[write].node, other_node);
  pair(write, other) = order;
  pair(other, write) = ~order;
  if (order == yes_) return;
  watch(order, {Use::Kind::pair, write, other});
  watch(~order, {Use::Kind::pair, other, write});
}

void OrderingTheory::sort_places() {
  if (sorted_) return;
  for (auto& candidates : candidates_)
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& left, const auto& right) { return left.key() < right.key(); });
  const auto key = [&](Write write) {
    const Node node = writes_[write].node;
    return std::pair(fixed_.chain(node), fixed_.place(node));
  };
  for (CellEvents& cell : cells_) {
    cell.by_place = cell.writes;
    std::sort(cell.by_place.begin(), cell.by_place.end(),
              [&](Write left, Write right) { return key(left) < key(right); });
  }
  sorted_ = true;
}

}  // namespace heddle::smt
