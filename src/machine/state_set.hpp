// A set of visited states that stores each of them in full and yet in little room:
// equal parts are stored once and numbered, and a state is a tree of pairs of numbers
// (tree compression). Exact: two states are the same element only if they are equal.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "machine/state.hpp"

namespace heddle::machine {

// Numbers pairs of numbers, in order of arrival.
class PairTable {
 public:
  struct Entry {
    std::uint32_t number = 0;
    bool fresh = false;
  };
  Entry insert(std::uint32_t left, std::uint32_t right);
  std::size_t size() const { return pairs_.size(); }
  std::size_t bytes() const {
    return pairs_.capacity() * sizeof(pairs_[0]) + slots_.capacity() * sizeof(slots_[0]);
  }

 private:
  void grow();

  std::vector<std::uint64_t> pairs_{};  // by number
  std::vector<std::uint32_t> slots_{};  // open addressing: number + 1, or 0; a power of two
};

// Numbers parts, equal ones alike.
template <class Part>
class PartTable {
 public:
  // The number, and whether the part is new.
  std::pair<std::uint32_t, bool> insert(const Shared<Part>& part, std::uint64_t serial) {
    InternMark& mark = part.mark();
    if (mark.set == serial) return {mark.number, false};
    const auto [first, last] = by_hash_.equal_range(part.hash());
    for (auto at = first; at != last; ++at) {
      if (!(parts_[at->second] == part)) continue;
      mark = {serial, at->second};
      return {at->second, false};
    }
    const std::uint32_t number = static_cast<std::uint32_t>(parts_.size());
    by_hash_.emplace(part.hash(), number);
    parts_.push_back(part);
    mark = {serial, number};
    return {number, true};
  }
  Shared<Part>& at(std::uint32_t number) { return parts_[number]; }
  const Shared<Part>& at(std::uint32_t number) const { return parts_[number]; }

 private:
  std::vector<Shared<Part>> parts_{};
  std::unordered_multimap<std::uint64_t, std::uint32_t> by_hash_{};
};

class StateSet {
 public:
  StateSet();
  StateSet(const StateSet&) = delete;
  StateSet& operator=(const StateSet&) = delete;

  struct Entry {
    std::uint32_t number = 0;  // states are numbered from 0 in order of arrival
    bool fresh = false;
  };
  Entry insert(const State& state);
  std::size_t size() const { return states_.size(); }
  std::size_t pair_bytes() const { return inner_.bytes() + states_.bytes(); }

 private:
  std::uint32_t word_number(std::uint64_t word);
  std::uint32_t thread_number(const Shared<Thread>& thread);
  std::uint32_t bases_number(const ObjectTable& table);
  std::uint32_t table_number(const Shared<ObjectTable>& table);
  std::uint32_t fold(std::vector<std::uint32_t>& numbers);

  std::uint64_t serial_;  // tells the marks of this set from those of any other one
  std::unordered_map<std::uint64_t, std::uint32_t> words_{};
  PartTable<Frame> frames_{};
  PartTable<Thread> threads_{};
  PartTable<Object> objects_{};
  PairTable inner_{}, states_{};
  std::vector<std::uint32_t> scratch_{};
  std::vector<Address> last_bases_{};  // of the table seen last, and their number
  std::uint32_t last_bases_number_;
};

}  // namespace heddle::machine
