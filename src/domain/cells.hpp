// Cells with a value each, and which of them are known to hold the same number because
// one is a copy of the other: what is learnt of a register is then learnt of the memory
// that it was loaded from.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "domain/lattice.hpp"
#include "domain/store.hpp"

namespace heddle::domain {

inline std::uint64_t hash_of(const Cell& cell) {
  const std::uint64_t kind = static_cast<std::uint64_t>(cell.kind) << 8 | cell.width;
  const std::uint64_t frame = static_cast<std::uint64_t>(cell.thread) << 32 | cell.frame;
  return base::combine(base::combine(kind, frame), cell.place);
}

template <Lattice L>
class Cells {
 public:
  using Value = typename L::Value;
  struct Entry {
    Cell cell{};
    Cell same{};  // the first of the cells that hold the same number; itself if there is no other
    Value value{};
  };

  explicit Cells(const L& lattice) : lattice_(&lattice) {}

  const std::vector<Entry>& entries() const { return entries_; }
  const Entry* find(const Cell& cell) const {
    const auto at = position(cell);
    return at != entries_.end() && at->cell == cell ? &*at : nullptr;
  }
  Value value(const Cell& cell) const {
    const Entry* entry = find(cell);
    CHECK(entry != nullptr, "a cell that is read is there");
    return lattice_->reduced(entry->value);
  }
  bool same(const Cell& left, const Cell& right) const {
    if (left == right) return true;
    const Entry *first = find(left), *second = find(right);
    return first != nullptr && second != nullptr && group_of(*first) == group_of(*second);
  }

  // The cell is a copy of no other any more.
  void write(const Cell& cell, const Value& value) {
    leave(cell);
    const auto at = position(cell);
    if (at != entries_.end() && at->cell == cell)
      entries_[index_of(at)].value = value;
    else
      entries_.insert(at, Entry{cell, cell, value});
  }
  void copy(const Cell& to, const Cell& from) {
    if (same(to, from)) return;
    write(to, value(from));
    unite(to, from);
  }
  void erase(const Cell& cell) {
    leave(cell);
    const auto at = position(cell);
    if (at != entries_.end() && at->cell == cell) entries_.erase(at);
  }

  // Less is possible than was thought: of the cell and of its copies.
  enum class Change { none, some };
  Change narrow(const Cell& cell, const Value& value) {
    const Entry* found = find(cell);
    CHECK(found != nullptr, "a cell that is narrowed is there");
    if (lattice_->covers(value, found->value)) return Change::none;
    const Cell group = found->same;
    for (Entry& entry : entries_)
      if (entry.same == group) entry.value = value;
    return Change::some;
  }
  // Both hold the same number, and have the same value already.
  Change unite(const Cell& left, const Cell& right) {
    const Cell first = find(left)->same, second = find(right)->same;
    if (first == second) return Change::none;
    const Cell group = std::min(first, second), gone = std::max(first, second);
    for (Entry& entry : entries_)
      if (entry.same == gone) entry.same = group;
    return Change::some;
  }

  bool covers(const Cells& other) const {
    CHECK(entries_.size() == other.entries_.size(), "stores that are compared have the same cells");
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (!lattice_->covers(entries_[i].value, other.entries_[i].value)) return false;
      if (entries_[i].same == entries_[i].cell) continue;
      const Entry* first = other.find(entries_[i].same);
      CHECK(first != nullptr, "stores that are compared have the same cells");
      if (other.group_of(*first) != other.group_of(other.entries_[i])) return false;
    }
    return true;
  }
  // Value by value; cells are the same afterwards if they are in both.
  template <class Combine>
  void merge(const Cells& other, const Combine& combine) {
    CHECK(entries_.size() == other.entries_.size(), "stores that are joined have the same cells");
    std::map<std::pair<Group, Group>, Cell> first;
    std::vector<Cell> groups;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry &mine = entries_[i], &its = other.entries_[i];
      CHECK(mine.cell == its.cell, "stores that are joined have the same cells");
      groups.push_back(
          first.try_emplace({group_of(mine), other.group_of(its)}, mine.cell).first->second);
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entries_[i].same = groups[i];
      entries_[i].value = combine(entries_[i].value, other.entries_[i].value);
    }
  }
  std::uint64_t hash() const {
    std::uint64_t hash = 0;
    for (const Entry& entry : entries_) {
      hash = base::combine(hash, hash_of(entry.cell));
      // Cells with one known number are the same or not, whether that was noted or not.
      if (!lattice_->constant_of(entry.value)) hash = base::combine(hash, hash_of(entry.same));
      hash = base::combine(hash, lattice_->hash(entry.value));
    }
    return hash;
  }

 private:
  // Cells hold the same number if they are in one group: that of a number, or of a first cell.
  using Group = std::pair<std::optional<std::uint64_t>, Cell>;
  Group group_of(const Entry& entry) const {
    const std::optional<std::uint64_t> known = lattice_->constant_of(entry.value);
    if (!known) return {std::nullopt, entry.same};
    Cell of_this_width;
    of_this_width.width = entry.cell.width;
    return {known, of_this_width};
  }

  typename std::vector<Entry>::const_iterator position(const Cell& cell) const {
    return std::lower_bound(entries_.begin(), entries_.end(), cell,
                            [](const Entry& entry, const Cell& key) { return entry.cell < key; });
  }
  std::size_t index_of(typename std::vector<Entry>::const_iterator at) const {
    return static_cast<std::size_t>(at - entries_.begin());
  }
  void leave(const Cell& cell) {
    const Entry* found = find(cell);
    if (found == nullptr) return;
    if (found->same == cell) {
      // The next one becomes the first.
      std::optional<Cell> group;
      for (Entry& entry : entries_)
        if (entry.same == cell && entry.cell != cell) {
          if (!group) group = entry.cell;
          entry.same = *group;
        }
    } else {
      entries_[index_of(position(cell))].same = cell;
    }
  }

  const L* lattice_;
  std::vector<Entry> entries_{};  // by cell
};

}  // namespace heddle::domain
