// Names of objects that do not depend on how threads interleave. The address of a
// new object may: the machine takes the lowest place that nothing points to. So the
// stateless search, which compares events of different executions, calls an object
// by the thread that made it and by how many it had made before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "machine/shared.hpp"
#include "machine/state.hpp"

namespace heddle::engine::explore {

using ObjectName = std::uint64_t;
// Touched by whoever creates a thread: threads are numbered in that order.
inline constexpr ObjectName thread_numbers = 1;

class Names {
 public:
  // Of a live object; those that were never named (globals) are called by their address.
  ObjectName of(machine::Address base) const {
    const auto at = position(table_->named, base);
    return at != table_->named.end() && at->first == base ? at->second : base;
  }

  void add(machine::Address base, machine::ThreadNumber maker) {
    Table& table = table_.write();
    if (table.made.size() <= maker) table.made.resize(maker + 1);
    const ObjectName name = allocated | (ObjectName{maker} << 32) | table.made[maker]++;
    const auto at = position(table.named, base);
    if (at != table.named.end() && at->first == base)
      table.named[static_cast<std::size_t>(at - table.named.begin())].second = name;
    else
      table.named.insert(at, {base, name});
  }

 private:
  static constexpr ObjectName allocated = ObjectName{1} << 63;
  using Entries = std::vector<std::pair<machine::Address, ObjectName>>;
  struct Table {
    Entries named{};                    // by rising address; the dead stay until replaced
    std::vector<std::uint32_t> made{};  // by thread
  };
  static Entries::const_iterator position(const Entries& entries, machine::Address base) {
    return std::lower_bound(
        entries.begin(), entries.end(), base,
        [](const auto& entry, machine::Address at) { return entry.first < at; });
  }

  machine::Shared<Table> table_{Table{}};
};

}  // namespace heddle::engine::explore
