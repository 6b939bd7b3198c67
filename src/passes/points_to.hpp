// Where pointers may point. Inclusion-based (Andersen), flow-insensitive, over
// the whole program; calls and thread starts through pointers are resolved on the
// fly. Where we differ from the textbook:
//  - fields are told apart by word offset, not by type, so casts and unions need
//    no care; elements of an array that is a whole object are one;
//  - integers carry addresses too, so casting to an integer and back (or copying
//    byte by byte) loses nothing;
//  - a model function is analysed anew for each call from user code, so blocks of
//    different malloc calls and arguments of different threads stay apart.
// Not covered, because it is undefined in C: reaching an object by an index that
// leaves another object, and pointers read from memory that was never written.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/program.hpp"

namespace heddle::passes {

enum class ObjectKind { global, allocation, function };

struct AbstractObject {
  ObjectKind kind = ObjectKind::global;
  ir::GlobalId global{};    // of a global; one object stands for all threads' copies
  ir::EdgeId allocation{};  // of an allocation: its Alloc edge
  ir::EdgeId context{};     // of an allocation in a model: the user's call that led there
  ir::FunId function{};     // of a function
  auto operator<=>(const AbstractObject&) const = default;
};

using ObjectIndex = std::uint32_t;  // into PointsTo::objects()

// What an address may refer to.
struct Targets {
  bool anything = false;               // then `objects` is incomplete
  std::vector<ObjectIndex> objects{};  // ordered
};

// Bytes of an object that an access may touch. Of an object that is an array, offsets count
// modulo its element.
struct TouchedBytes {
  ObjectIndex object = 0;
  bool whole = false;  // anywhere inside; then first and last mean nothing
  std::int64_t first = 0, last = 0;
};
struct Touched {
  bool anything = false;  // then `bytes` is incomplete
  std::vector<TouchedBytes> bytes{};
};

// A function as analysed: user functions once, models once a user call.
using InstanceId = std::uint32_t;
struct Instance {
  ir::FunId function{};
  ir::EdgeId context{};  // none for user functions
};

struct PointsToLimits {
  std::uint64_t work = 30'000'000;  // facts propagated; beyond, every answer is "anything"
};

class PointsTo {
 public:
  class Solution;
  explicit PointsTo(std::shared_ptr<const Solution> solution) : solution_(std::move(solution)) {}

  // The limit was hit: nothing is known, and instances() and objects() are incomplete.
  bool gave_up() const;
  std::span<const AbstractObject> objects() const;
  std::span<const Instance> instances() const;  // 0 is the entry

  // The object that holds the memory the edge touches (Load, Store, Update, Await, Free, Clobber,
  // ObjectSize); empty for other edges and for edges that no call reaches.
  Targets targets(ir::EdgeId access) const;
  Targets targets(InstanceId instance, ir::EdgeId access) const;
  Targets targets(ir::ExprId address, ir::FunId function) const;
  Targets targets(InstanceId instance, ir::ExprId address) const;
  // The bytes that the edge touches; nothing for edges that touch no memory.
  Touched touched(InstanceId instance, ir::EdgeId access) const;
  // What offsets of the object count modulo of: its element if it is an array, else its size.
  std::uint64_t period(ObjectIndex object) const;
  // The two accesses may touch the same word.
  bool may_alias(ir::EdgeId left, ir::EdgeId right) const;
  // Addresses that the object may hold anywhere inside.
  Targets contents(ObjectIndex object) const;
  // What may have been stored through a pointer of which nothing is known.
  Targets stored_anywhere() const;

  // Who a Call may call, or whom a Spawn may start.
  std::vector<InstanceId> callees(InstanceId instance, ir::EdgeId edge) const;
  std::vector<ir::FunId> callees(ir::EdgeId edge) const;

 private:
  std::shared_ptr<const Solution> solution_;
};

PointsTo analyse_points_to(const ir::Program& program, PointsToLimits limits = {});

}  // namespace heddle::passes
