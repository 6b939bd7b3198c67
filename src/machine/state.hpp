// One concrete state of a running program. A value: copying is cheap (parts are
// shared until written), equality and hash are structural and do not depend on
// how the state was reached. Holds no property and takes no step by itself.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "ir/ids.hpp"
#include "ir/statement.hpp"
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
};

struct Thread {
  std::vector<Frame> frames{};  // outermost first; empty: the thread has ended
  std::uint32_t atomic_depth = 0;
  std::uint32_t allocations = 0;  // next number in this thread's part of the address space
};

// A live object. `set[i]` is 1 if byte i has a definite value.
struct Object {
  ir::AllocKind kind = ir::AllocKind::heap;  // globals count as model-owned
  ir::GlobalId global{};                     // valid for globals
  ir::EdgeId allocated_at{};                 // valid for others
  std::vector<std::uint8_t> bytes{};
  std::vector<std::uint8_t> set{};
};

// Shared until written: `write()` makes a private copy when others hold the same one.
// The hash is computed once per version.
template <class Part>
class Shared;

class State;

}  // namespace heddle::machine
