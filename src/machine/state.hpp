// One concrete state of a running program. A value: copying is cheap (parts are
// shared until written), equality and hash are structural and do not depend on
// how the state was reached. Holds no property and takes no step by itself.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "ir/ids.hpp"
#include "ir/statement.hpp"
#include "machine/shared.hpp"
#include "verdict/verdict.hpp"

namespace heddle::machine {

using verdict::ThreadNumber;
using Address = std::uint64_t;

struct Frame {
  ir::FunId function{};
  ir::LocId at{};
  std::vector<std::uint64_t> registers{};  // by Register::index; canonical bits
  std::optional<ir::RegId> result{};       // in the caller's frame: receives the returned value
  std::vector<std::pair<ir::EdgeId, Address>> stack_objects{};  // by the edge that allocated them
  bool operator==(const Frame&) const = default;
};

struct Thread {
  std::vector<Shared<Frame>> frames{};  // outermost first; empty: the thread has ended
  std::uint32_t atomic_depth = 0;       // of nested atomic sections
  bool operator==(const Thread&) const = default;
};

// A live object. Bits that are not set have no definite value yet, and are 0 in `bytes`.
struct Object {
  ir::AllocKind kind = ir::AllocKind::heap;  // globals count as model-owned
  ir::GlobalId global{};                     // valid for globals
  ir::EdgeId allocated_at{};                 // valid for others
  std::vector<std::uint8_t> bytes{};
  std::vector<std::uint8_t> set{};  // the definite bits of each byte; empty: all of them are
  bool operator==(const Object&) const = default;
};

struct ObjectEntry {
  Address base = 0;
  Shared<Object> object;
  bool operator==(const ObjectEntry&) const = default;
};
struct ObjectTable {
  std::vector<ObjectEntry> entries{};  // by rising base; string literals are not here
  bool operator==(const ObjectTable&) const = default;
};

std::uint64_t hash_of(const Frame& frame);
std::uint64_t hash_of(const Thread& thread);
std::uint64_t hash_of(const Object& object);
std::uint64_t hash_of(const ObjectTable& table);

class State {
 public:
  State() : objects_(ObjectTable{}) {}

  std::uint64_t hash() const;
  bool operator==(const State& other) const;

  ThreadNumber thread_count() const { return static_cast<ThreadNumber>(threads_.size()); }
  const Thread& thread(ThreadNumber number) const { return *threads_[number]; }
  const Frame& top(ThreadNumber number) const { return *threads_[number]->frames.back(); }
  const std::vector<Shared<Thread>>& threads() const { return threads_; }
  const Shared<ObjectTable>& object_table() const { return objects_; }
  const std::vector<ObjectEntry>& objects() const { return objects_->entries; }
  // The thread that runs alone because it is inside an atomic section.
  std::optional<ThreadNumber> holder() const { return holder_; }
  bool over() const { return over_; }  // the process has ended

  // What a step changes. References are invalid after the next change of the same kind.
  Thread& write_thread(ThreadNumber number) { return threads_[number].write(); }
  Frame& write_top(ThreadNumber number) { return write_thread(number).frames.back().write(); }
  void add_thread(Thread thread) { threads_.emplace_back(std::move(thread)); }
  Object& write_object(std::size_t index) { return objects_.write().entries[index].object.write(); }
  void add_object(Address base, Object object);
  void remove_object(Address base);
  void set_holder(std::optional<ThreadNumber> holder) { holder_ = holder; }
  void end_process() { over_ = true; }

 private:
  std::vector<Shared<Thread>> threads_{};
  Shared<ObjectTable> objects_;
  std::optional<ThreadNumber> holder_{};
  bool over_ = false;
};

}  // namespace heddle::machine
