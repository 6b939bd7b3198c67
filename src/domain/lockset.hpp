// Which locks each thread holds, and under which locks each object was accessed so far: an
// object that several threads access, one of them to write, with no lock common to all
// accesses, may be raced on. Knows must-facts of locks and may-facts of accesses, so a join
// keeps fewer locks and more accesses.
#pragma once

#include <cstdint>
#include <map>
#include <set>

namespace heddle::domain {

enum class AccessKind : std::uint8_t { read, write };

class Locksets {
 public:
  using Thread = std::uint32_t;
  using Address = std::uint64_t;

  // Recursive locks: the holder counts, and releases as often as it acquires.
  void acquire(Thread thread, Address lock);
  void release(Thread thread, Address lock);
  void access(Thread thread, Address object, AccessKind kind);
  void forget_thread(Thread thread) { held_.erase(thread); }  // its accesses stay
  void forget_object(Address object) { accesses_.erase(object); }

  std::set<Address> held(Thread thread) const;
  // The locks that protected every access so far; of an object never accessed: none.
  std::set<Address> common(Address object) const;
  bool accessed(Address object) const { return accesses_.contains(object); }
  // True: every pair of conflicting accesses by different threads had a lock in common.
  bool consistent(Address object) const;

  bool covers(const Locksets& other) const;
  void join(const Locksets& other);
  std::uint64_t hash() const;
  bool operator==(const Locksets&) const = default;

 private:
  struct Accesses {
    std::set<Address> common{};
    std::set<Thread> readers{}, writers{};
    bool operator==(const Accesses&) const = default;
  };

  std::map<Thread, std::map<Address, std::uint32_t>> held_{};  // how often; no entry is 0 or empty
  std::map<Address, Accesses> accesses_{};
};

}  // namespace heddle::domain
