// What one symbolic execution learns for the next one: which memory is a matter of
// the order of threads at all, how objects fall into cells, and where pointers that
// are read from shared memory, or that come in, may point.
//
// Executions begin optimistic (nothing is shared) and are repeated until they teach
// nothing new; facts only grow. The last execution has found every access that it
// assumes about, so what it builds is right.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "engine/bmc/contexts.hpp"
#include "engine/bmc/objects.hpp"

namespace heddle::engine::bmc {

// Constants that a cell may be set to.
struct Domain {
  std::set<std::uint64_t> values{};
  bool open = false;  // and other values, too
};

class Facts {
 public:
  // ---- asked while executing ----
  // The thread's read of the cell depends on the order of threads. `spawned`: the threads that it
  // has started so far.
  template <class Children>
  bool read_is_shared(ContextId thread, const Cell& cell, const Children& spawned) const {
    const auto at = key(cell);
    if (concurrent_.contains({thread, at})) return true;
    if (written_below_.empty()) return false;
    for (const ContextId child : spawned)
      if (written_below_.contains({child, at})) return true;
    return false;
  }
  bool write_is_seen(const Cell& cell) const { return seen_.contains(key(cell)); }
  bool shared_object(ObjectId object) const { return shared_objects_.contains(object); }
  const std::set<std::uint32_t>& boundaries(ObjectId object) const;
  const Domain* domain(const Cell& cell) const;
  // Addresses that what comes in at the Havoc was compared with; it may be others, too.
  const std::set<std::uint64_t>& input_addresses(ir::EdgeId havoc) const;
  bool follows_inputs() const { return !input_addresses_.empty(); }
  bool read_plainly(const Cell& cell) const { return read_plainly_.contains(key(cell)); }
  // Heap blocks, and who allocates each.
  const std::map<ObjectId, ContextId>& blocks() const { return blocks_; }
  bool used_atomically(const Cell& cell) const { return used_atomically_.contains(key(cell)); }

  // ---- learnt after an execution; each says whether that was news ----
  bool learn_concurrent(ContextId thread, const Cell& cell) {
    return concurrent_.insert({thread, key(cell)}).second;
  }
  bool learn_written_below(ContextId thread, const Cell& cell) {
    return written_below_.insert({thread, key(cell)}).second;
  }
  bool learn_seen(const Cell& cell) { return seen_.insert(key(cell)).second; }
  bool learn_shared_object(ObjectId object) { return shared_objects_.insert(object).second; }
  bool learn_boundary(ObjectId object, std::uint32_t offset) {
    return boundaries_[object].insert(offset).second;
  }
  bool learn_block(ObjectId object, ContextId thread) {
    return blocks_.emplace(object, thread).second;
  }
  bool learn_value(const Cell& cell, std::uint64_t value);
  bool learn_open(const Cell& cell);
  bool learn_input_address(ir::EdgeId havoc, std::uint64_t address);
  bool learn_read_plainly(const Cell& cell) { return read_plainly_.insert(key(cell)).second; }
  bool learn_used_atomically(const Cell& cell) { return used_atomically_.insert(key(cell)).second; }

 private:
  using CellKey = std::pair<ObjectId, std::uint32_t>;  // sizes follow from the boundaries
  static CellKey key(const Cell& cell) { return {cell.object, cell.offset}; }

  std::set<std::pair<ContextId, CellKey>> concurrent_{};
  std::set<std::pair<ContextId, CellKey>> written_below_{};
  std::set<CellKey> seen_{};
  std::set<ObjectId> shared_objects_{};
  std::map<ObjectId, std::set<std::uint32_t>> boundaries_{};
  std::map<CellKey, Domain> domains_{};
  std::map<ir::EdgeId, std::set<std::uint64_t>> input_addresses_{};
  std::map<ObjectId, ContextId> blocks_{};
  std::set<CellKey> read_plainly_{}, used_atomically_{};
};

}  // namespace heddle::engine::bmc
