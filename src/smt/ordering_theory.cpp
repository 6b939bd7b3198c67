#include "smt/ordering_theory.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace heddle::smt {

void OrderingTheory::restart() {
  freeze();
  undo_from(0);
  sort_places();
}

void OrderingTheory::undo_from(std::size_t trail_place) {
  while (!assigned_.empty() && assigned_.back().trail_place >= trail_place) {
    const Assigned& last = assigned_.back();
    values_[last.literal.code] = 0;
    reachable_.remove_from(last.edges);
    for (; reasons_.size() > last.reasons; reasons_.pop_back())
      implied_[reasons_.back().implied.code] = 0;
    for (; closed_.size() > last.closed; closed_.pop_back()) {
      ++writes_[sources_[closed_.back()].write].sources.open;
      ++reads_[sources_[closed_.back()].read].sources.open;
    }
    for (; chosen_.size() > last.chosen; chosen_.pop_back()) {
      ReadEvent& read = reads_[sources_[chosen_.back()].read];
      --read.chosen;
      cells_[read.cell].chosen.pop_back();
    }
    assigned_.pop_back();
  }
  next_implied_ = reasons_.size();
}

bool OrderingTheory::assign(Lit literal, std::size_t trail_place) {
  assigned_.push_back(
      {literal, trail_place, reachable_.edges(), static_cast<std::uint32_t>(reasons_.size()),
       static_cast<std::uint32_t>(chosen_.size()), static_cast<std::uint32_t>(closed_.size())});
  values_[literal.code] = 1;
  for (const Use& use : uses_[literal.code])
    if (!perform(use, literal)) {
      ++statistics_.cycles;
      return false;
    }
  return true;
}

bool OrderingTheory::perform(const Use& use, Lit literal) {
  switch (use.kind) {
    case Use::Kind::edge:
      return activate({use.first, use.second, {literal}});
    case Use::Kind::source:
      return choose(use.first);
    case Use::Kind::no_source:
      close(use.first);
      return true;
    case Use::Kind::guard:
      return happen(use.first);
    case Use::Kind::pair:
      for (const SourceId source : writes_[use.first].sources.not_false())
        if (is_true(sources_[source].chosen) && !derive(sources_[source], use.second)) return false;
      return true;
  }
  return true;
}

bool OrderingTheory::choose(SourceId id) {
  const SourceEvent& source = sources_[id];
  ReadEvent& read = reads_[source.read];
  CellEvents& cell = cells_[read.cell];
  cell.chosen.push_back(id);
  ++read.chosen;
  chosen_.push_back(id);
  if (options_.propagate_sources)
    for (const SourceId other : read.sources.not_false())
      if (sources_[other].write != source.write &&
          !imply({.implied = ~sources_[other].chosen, .literals = {source.chosen}},
                 statistics_.implied_sources))
        return false;
  for (const Write other : cell.by_place)
    if (!derive(source, other)) return false;
  for (const Write other : cell.by_place)
    if (other != source.write && reachable_.reaches(writes_[other].node, read.node) &&
        !overwritten(source, other))
      return false;
  return true;
}

void OrderingTheory::close(SourceId id) {
  const SourceEvent& source = sources_[id];
  swap_away(writes_[source.write].sources, &SourceEvent::place_in_write, id);
  swap_away(reads_[source.read].sources, &SourceEvent::place_in_read, id);
  closed_.push_back(id);
}

void OrderingTheory::swap_away(Choices& choices, std::uint32_t SourceEvent::*place, SourceId id) {
  const SourceId last = choices.all[--choices.open];
  std::swap(choices.all[sources_[id].*place], choices.all[choices.open]);
  std::swap(sources_[id].*place, sources_[last].*place);
}

bool OrderingTheory::happen(Write id) {
  const CellEvents& cell = cells_[writes_[id].cell];
  for (const SourceId source : cell.chosen)
    if (!derive(sources_[source], id)) return false;
  for (const ReadId read : cell.reads)
    if (reachable_.reaches(writes_[id].node, reads_[read].node) && !between(id, read)) return false;
  return true;
}

// The read took its value from the source; another write that comes later than that one
// comes later than the read.
bool OrderingTheory::derive(const SourceEvent& source, Write other) {
  const Node read = reads_[source.read].node;
  const WriteEvent& write = writes_[other];
  if (other == source.write || write.node == read || !is_true(write.guard)) return true;
  const Lit order = pair(source.write, other);
  if (!order.valid() || (order != yes_ && !is_true(order)) || order == ~yes_) return true;
  Edge edge{read, write.node, {source.chosen}};
  std::size_t reasons = 1;
  if (write.guard != yes_) edge.reasons[reasons++] = write.guard;
  if (order != yes_) edge.reasons[reasons++] = order;
  if (!reachable_.reaches(read, write.node)) ++statistics_.derived_edges;
  return activate(edge);
}

bool OrderingTheory::activate(const Edge& edge) {
  if (reachable_.reaches(edge.to, edge.from)) {
    conflict_.clear();
    for (const Lit reason : edge.reasons)
      if (reason.valid()) conflict_.push_back(reason);
    reachable_.explain(edge.to, edge.from, reachable_.edges(), conflict_);
    return false;
  }
  if (reachable_.reaches(edge.from, edge.to)) return true;
  ++statistics_.edges;
  for (const Reachability::Raise& raise : reachable_.add(edge))
    if (!follow(raise)) return false;
  return true;
}

bool OrderingTheory::follow(const Reachability::Raise& raise) {
  if (options_.propagate_edges) {
    const auto& candidates = candidates_[raise.node];
    auto next = std::upper_bound(
        candidates.begin(), candidates.end(), std::pair(raise.chain, raise.before),
        [](const auto& key, const Candidate& candidate) { return key < candidate.key(); });
    for (; next != candidates.end() && next->chain == raise.chain && next->place <= raise.now;
         ++next)
      if (is_open(next->literal))
        imply({.implied = ~next->literal, .paths = {Path{next->to, raise.node}}},
              statistics_.implied_edges);
  }
  return follow_reads(raise) && follow_writes(raise);
}

std::span<const Write> OrderingTheory::places(const CellEvents& cell,
                                              const Reachability::Raise& raise) const {
  const auto starts_after = [&](StaticOrder::Place place) {
    return std::upper_bound(cell.by_place.begin(), cell.by_place.end(),
                            std::pair(raise.chain, place), [&](const auto& key, Write write) {
                              const Node node = writes_[write].node;
                              return key < std::pair(fixed_.chain(node), fixed_.place(node));
                            });
  };
  const auto first = starts_after(raise.before);
  return {first, starts_after(raise.now)};
}

// Writes that come before a read since the raise. From the last one on: what a write that
// happens says covers what earlier ones of its chain say.
bool OrderingTheory::follow_reads(const Reachability::Raise& raise) {
  for (const ReadId read : reads_at_[raise.node]) {
    const auto writes = places(cells_[reads_[read].cell], raise);
    for (auto write = writes.rbegin(); write != writes.rend(); ++write) {
      if (!between(*write, read)) return false;
      if (is_true(writes_[*write].guard)) break;
    }
  }
  return true;
}

// Writes that come before another write since the raise. The same holds here: the source
// that comes before a write that happens is overwritten by that one already.
bool OrderingTheory::follow_writes(const Reachability::Raise& raise) {
  if (!options_.propagate_overwritten) return true;
  for (const Write later : writes_at_[raise.node]) {
    const auto writes = places(cells_[writes_[later].cell], raise);
    for (auto earlier = writes.rbegin(); earlier != writes.rend(); ++earlier) {
      for (const SourceId source : writes_[*earlier].sources.not_false())
        if (reachable_.reaches(raise.node, reads_[sources_[source].read].node) &&
            !overwritten(sources_[source], later))
          return false;
      if (is_true(writes_[*earlier].guard)) break;
    }
  }
  return true;
}

// The write comes before the read: what does that say about the read's sources?
bool OrderingTheory::between(Write id, ReadId read) {
  const WriteEvent& write = writes_[id];
  if (write.node == reads_[read].node || is_false(write.guard)) return true;
  if (reads_[read].chosen == 0 && !is_true(write.guard)) return true;
  for (const SourceId source : reads_[read].sources.not_false())
    if (!overwritten(sources_[source], id)) return false;
  return true;
}

// As between(), for one source.
bool OrderingTheory::overwritten(const SourceEvent& source, Write other) {
  const WriteEvent& write = writes_[other];
  const Node read = reads_[source.read].node;
  const Node from = writes_[source.write].node;
  if (other == source.write || write.node == read) return true;
  const bool chosen = is_true(source.chosen);
  const bool happens = is_true(write.guard);
  if ((!chosen && !happens) || is_false(source.chosen) || is_false(write.guard)) return true;
  if (reachable_.reaches(from, write.node)) {
    if (!options_.propagate_overwritten) return true;
    const Path second{write.node, read};
    const Path first{from, write.node};
    if (happens)
      return imply({.implied = ~source.chosen, .literals = {write.guard}, .paths = {first, second}},
                   statistics_.implied_sources);
    return imply({.implied = ~write.guard, .literals = {source.chosen}, .paths = {first, second}},
                 statistics_.implied_guards);
  }
  if (!options_.propagate_serialization || !chosen || !happens) return true;
  const Lit order = pair(source.write, other);
  if (!order.valid() || order == yes_ || order == ~yes_ || is_false(order)) return true;
  return imply({.implied = ~order,
                .literals = {source.chosen, write.guard},
                .paths = {Path{write.node, read}}},
               statistics_.implied_orders);
}

bool OrderingTheory::imply(const Reason& reason, std::uint64_t& counter) {
  if (is_true(reason.implied) || implied_[reason.implied.code]) return true;
  ++counter;
  implied_[reason.implied.code] = 1;
  reasons_.push_back(reason);
  reasons_.back().edges = reachable_.edges();
  if (is_open(reason.implied)) return true;
  conflict_.clear();
  explain(static_cast<std::uint32_t>(reasons_.size() - 1), conflict_);
  conflict_.push_back(~reason.implied);
  return false;
}

OrderingTheory::Implied OrderingTheory::take_implied() {
  const auto reason = static_cast<std::uint32_t>(next_implied_++);
  return {reasons_[reason].implied, reason};
}

void OrderingTheory::explain(std::uint32_t id, std::vector<Lit>& literals) const {
  const Reason& reason = reasons_[id];
  for (const Lit literal : reason.literals)
    if (literal.valid() && literal != yes_) literals.push_back(literal);
  for (const auto& [from, to] : reason.paths)
    if (from != to) reachable_.explain(from, to, reason.edges, literals);
}

}  // namespace heddle::smt
