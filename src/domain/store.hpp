// The part of a state that a domain abstracts. A state of the explorer is a state of
// the machine and a store: whatever has exactly one known value lives in the machine's
// state, every other scalar is a cell here. So control, synchronisation, addresses and
// lifetimes have one meaning for all domains, that of the machine, and a domain knows
// numbers only.
//
// A store stands for a set of assignments of its cells. Every operation over-approximates:
// what the machine could do from an assignment in the set stays in the set.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/program.hpp"

namespace heddle::domain {

// A place that holds a scalar: a register of a frame, or some bytes of memory.
struct Cell {
  enum class Kind : std::uint8_t { reg, memory };
  Kind kind = Kind::reg;
  std::uint8_t width = 0;    // bits, 1 to 64; of memory: a whole number of bytes
  std::uint32_t thread = 0;  // registers only
  std::uint32_t frame = 0;   // registers only: its depth, 0 is the outermost
  std::uint64_t place = 0;   // the register's index in its frame, or the address
  auto operator<=>(const Cell&) const = default;
};

// A scalar as it is found: its known bits (canonical, as ir/arithmetic.hpp has them), or the
// cell that holds it.
using Operand = std::variant<std::uint64_t, Cell>;

// What the leaves of an expression stand for where it is evaluated.
class Scope {
 public:
  virtual ~Scope() = default;
  virtual Operand reg(ir::RegId id) const = 0;
  virtual std::uint64_t global(ir::GlobalId id) const = 0;  // its address, for the running thread
  virtual std::uint64_t function(ir::FunId id) const = 0;
};

enum class Equality { equal, different };

class Store {
 public:
  virtual ~Store() = default;
  virtual std::unique_ptr<Store> clone() const = 0;

  // The cells that it has, in their order. Operations that read a cell need it to be there.
  virtual std::vector<Cell> cells() const = 0;
  virtual bool holds(const Cell& cell) const = 0;
  virtual void forget(const Cell& cell) = 0;

  // Operations that write a cell make it if it is not there.
  virtual void set(const Cell& cell, std::uint64_t bits) = 0;
  // Any value; with a limit, any in [0, limit).
  virtual void havoc(const Cell& cell, std::uint64_t limit) = 0;
  // As Assign: `to` may occur in `value`, which is read first.
  virtual void assign(const Cell& to, ir::ExprId value, const Scope& scope) = 0;
  // As Load and Store on a cell that has exactly the bytes accessed; `type` is the type accessed.
  virtual void load(const Cell& to, const Cell& memory, ir::TypeId type, ir::BitRange bits) = 0;
  virtual void store(const Cell& memory, ir::TypeId type, ir::BitRange bits, ir::ExprId value,
                     const Scope& scope) = 0;
  // As Update with every operator but compare_exchange: memory := op(before, operand), where
  // `before` is what a load of it gave.
  virtual void update(const Cell& memory, ir::TypeId type, ir::RmwOp op, const Operand& before,
                      ir::ExprId operand, const Scope& scope) = 0;

  // Keeps the assignments under which the condition holds; false: there are none, and the store is
  // not to be used any more.
  virtual bool assume(ir::ExprId condition, const Scope& scope) = 0;
  // Compares `left`, which has the type of `right`, with it.
  virtual bool assume(Equality equality, const Operand& left, ir::ExprId right,
                      const Scope& scope) = 0;

  // The only value, where the store knows that there is but one.
  virtual std::optional<std::uint64_t> known(ir::ExprId expr, const Scope& scope) const = 0;
  virtual std::optional<std::uint64_t> known(const Cell& cell) const = 0;
  // All values that the expression may have, rising; nullopt: more than `at_most`, or not known.
  virtual std::optional<std::vector<std::uint64_t>> values(ir::ExprId expr, const Scope& scope,
                                                           std::size_t at_most) const = 0;

  // Both stores are of one domain and have the same cells.
  virtual bool covers(const Store& other) const = 0;  // each assignment of `other` is in this one
  virtual void join(const Store& other) = 0;          // also those of `other`
  virtual void widen(const Store& newer) = 0;  // as join; no endless chain of them changes it
  // Equal for stores that cover each other, where the domain can tell cheaply.
  virtual std::uint64_t hash() const = 0;
};

// Which states at the same locations become one.
enum class Merge {
  separate,  // none: a state is dropped only if a known one covers it
  join,      // all
};

// Makes stores. Holds what they share, so it must outlive them.
class Domain {
 public:
  virtual ~Domain() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<Store> initial() = 0;  // without cells
  virtual Merge merge() const = 0;
};

}  // namespace heddle::domain
