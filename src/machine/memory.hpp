// Bytes, bounds and addresses: finds the object behind a numeric address, says what
// is wrong where there is none, reads and writes values, and picks fresh addresses.
// Knows no threads' turns and no property.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ir/program.hpp"
#include "machine/layout.hpp"
#include "machine/state.hpp"

namespace heddle::machine {

enum class AccessKind { read, write };

// A live object and an offset in it. Valid until the state changes.
struct Place {
  const Object* object = nullptr;
  Address base = 0;
  std::uint64_t offset = 0;
  // Index into State::objects(); nullopt for a string literal, which no state holds.
  std::optional<std::size_t> index{};
};

struct Fault {
  enum class Kind { invalid, unknown_size };  // the latter: we cannot know whether it is invalid
  Kind kind = Kind::invalid;
  std::string text{};
};

// Up to eight bytes read, little-endian; bits outside of `set` have no definite value.
struct RawValue {
  std::uint64_t bits = 0;
  std::uint64_t set = 0;
};

class Memory {
 public:
  static constexpr std::uint64_t largest_object = 64ULL << 20;

  explicit Memory(const ir::Program& program);

  const Layout& layout() const { return layout_; }

  // The live object whose bytes include the address, or that starts there.
  std::optional<Place> find(const State& state, Address address) const;
  // The place of an access of `size` bytes, or why it is invalid.
  std::variant<Place, Fault> resolve(const State& state, Address address, std::uint64_t size,
                                     AccessKind kind) const;

  static RawValue read(const Place& place, std::uint32_t size);
  // Bits outside of `mask` keep their value and whether they are set.
  static void write(State& state, const Place& place, std::uint32_t size, std::uint64_t bits,
                    std::uint64_t mask);

  // Where a new object of the thread goes: the lowest free slots that nothing in the state
  // points into, so that a dangling pointer never meets a new object, and yet a loop that
  // allocates and frees comes back to the same state. nullopt: the arena is full.
  std::optional<Address> fresh_address(const State& state, ThreadNumber thread,
                                       std::uint64_t size) const;
  // The same for an object that the model library never frees: nothing dangles there.
  std::optional<Address> fresh_model_address(const State& state, ThreadNumber thread,
                                             std::uint64_t size) const;

  // A process-wide global, or one thread's copy, as it is when it comes to life.
  Object fresh_global(ir::GlobalId id) const;
  static Object fresh_object(ir::AllocKind kind, ir::EdgeId at, std::uint64_t size,
                             ir::Contents contents);

  // "'a'", "a heap block from line 12": the object, for messages.
  std::string name_of(const Object& object) const;
  // "x", "a[2]", "s.next", "heap block from line 12, offset 4": the place, for reports.
  // Of a bit-field: the address of its storage unit, and its bits there.
  std::string describe(const State& state, Address address, ir::BitRange bits = {}) const;

  // The value of an expression over constants and addresses of process-wide objects.
  std::uint64_t constant_value(ir::ExprId id) const;

 private:
  Fault fault_at(const State& state, Address address, std::uint64_t size) const;
  std::optional<Fault> fault_beside(const State& state, Address address, std::uint64_t size) const;
  // The slots that each part of the state points into, in order.
  template <class Visit>
  void each_mention(const State& state, Visit visit) const;
  Address behind_objects(const State& state, const Arena& arena, Address next,
                         std::uint64_t needed) const;

  const ir::Program& program_;
  Layout layout_;
  std::vector<std::pair<Address, Object>> literals_{};  // by rising address
};

}  // namespace heddle::machine
