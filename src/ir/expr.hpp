// A pure, typed, hash-consed C expression over registers and constants. Never
// reads memory, never has a side effect, never faults (division by zero is
// guarded by a statement before it, see Statement's Fail{division_by_zero}).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "ir/ids.hpp"

namespace heddle::ir {

// Operands of binary arithmetic have the result's type; operands of comparisons
// have one common type. Signedness and floating arithmetic follow from it.
// clang-format off
enum class Op : std::uint8_t {
  constant,          // payload: the value's bits, zero-extended (floats: IEEE bits)
  reg,               // payload: RegId
  global_address,    // payload: GlobalId; of a thread-local global: this thread's copy
  function_address,  // payload: FunId
  neg, bit_not,
  logical_not,  // boolean -> boolean
  add, sub, mul, div, rem,
  shl, shr,  // the right operand may have any integer type; amounts are taken modulo the width
  bit_and, bit_or, bit_xor,
  eq, ne, lt, le,  // -> boolean
  add_overflows, sub_overflows, mul_overflows,  // -> boolean; judged in the operands' type
  cast,      // between scalars, as C converts
  select,    // args: boolean condition, then, else
  ptr_add,   // pointer, integer: moves by elements of the pointee, as C's `p + i`
  ptr_diff,  // pointer, pointer: elements of the pointee, as C's `p - q`
  field,     // pointer to record -> pointer to the member; payload: index into Type::fields
};
// clang-format on

struct Expr {
  Op op = Op::constant;
  std::uint8_t arity = 0;
  TypeId type{};
  std::array<ExprId, 3> args{};
  std::uint64_t payload = 0;

  std::span<const ExprId> operands() const { return {args.data(), arity}; }
  auto operator<=>(const Expr&) const = default;
};

}  // namespace heddle::ir
