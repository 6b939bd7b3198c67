// An inductive invariant as data: for each cut point of a sequential program a formula over its
// registers and memory. Numbers are mathematical integers (nothing wraps around inside a formula),
// so that whoever checks it needs no knowledge of how it was found.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "ir/ids.hpp"

namespace heddle::verdict {

__extension__ using Number = __int128;

// Some bytes of a global, or of the newest object that an Alloc edge has made. Cells of one
// object do not overlap.
struct Cell {
  ir::GlobalId global{};
  ir::EdgeId allocation{};  // if it is no global
  std::uint64_t offset = 0;
  std::uint32_t bytes = 0;  // 1, 2, 4 or 8
  bool is_signed = false;   // how its bits are read as a number
  auto operator<=>(const Cell&) const = default;
};

// What a formula may speak of. A register of a signed type is read as a signed number, any other
// as an unsigned one; an address is the number that the machine gives it.
struct Variable {
  enum class Kind {
    reg,
    cell,     // what it holds; where it is not set, what a plain load would get
    is_set,   // 1 if all bits of the cell have been written, 0 if none
    base,     // the address of the newest object of the Alloc edge
    is_live,  // 1 if that object has been made and is alive, else 0
  };
  Kind kind = Kind::reg;
  ir::RegId reg{};
  std::uint32_t cell = 0;   // index into InductiveInvariant::cells
  ir::EdgeId allocation{};  // of base and is_live
  auto operator<=>(const Variable&) const = default;
};

struct Formula {
  enum class Kind {
    all,           // of no operands: true
    any,           // of no operands: false
    negation,      // of the one operand
    at_most_zero,  // sum + constant <= 0
    is_zero,       // sum + constant == 0
    divisible,     // sum + constant by divisor, which is positive
  };
  Kind kind = Kind::all;
  std::vector<std::uint32_t> operands{};                // indices of formulas that come before
  std::vector<std::pair<Number, std::uint32_t>> sum{};  // factor, index of a variable
  Number constant = 0;
  Number divisor = 1;
};

struct InductiveInvariant {
  std::vector<Cell> cells{};
  std::vector<Variable> variables{};
  std::vector<Formula> formulas{};
  // Cut points: every cycle passes one of them.
  std::vector<std::pair<ir::LocId, std::uint32_t>> at{};  // location, index of its formula
};

}  // namespace heddle::verdict
