// What loads, stores and updates compute, over the operators of an algebra: how a value
// of a type lies in the bits of a memory cell.
#pragma once

#include "base/check.hpp"
#include "domain/store.hpp"
#include "ir/arithmetic.hpp"
#include "smt/fold.hpp"
#include "smt/translate.hpp"

namespace heddle::domain {

template <class A>
class Access {
 public:
  using Value = typename A::Value;

  explicit Access(A& algebra) : algebra_(algebra) {}

  // From the bits of the cell to a value of the type.
  Value loaded(const Cell& memory, Value unit, const ir::Type& type, ir::BitRange bits) {
    if (bits.whole()) return algebra_.resize_unsigned(unit, type.width);
    const std::uint32_t offset = offset_in(memory, bits);
    const Value field = algebra_.extract(unit, offset, bits.width);
    return type.is_signed ? algebra_.resize_signed(field, type.width)
                          : algebra_.resize_unsigned(field, type.width);
  }
  // The bits of the cell after a store of the value; `unit` is what they were before, which
  // matters to bit-fields only.
  Value stored(const Cell& memory, const std::optional<Value>& unit, ir::BitRange bits,
               Value value) {
    if (bits.whole()) return algebra_.resize_unsigned(value, memory.width);
    CHECK(unit, "a bit-field is stored into bits that are there");
    const std::uint32_t offset = offset_in(memory, bits);
    const std::uint64_t mask = smt::mask_of(bits.width) << offset;
    const Value field =
        algebra_.resize_unsigned(algebra_.resize_unsigned(value, bits.width), memory.width);
    const Value moved = algebra_.binary(
        smt::TermOp::mul, field, algebra_.constant(memory.width, std::uint64_t{1} << offset));
    const Value others =
        algebra_.binary(smt::TermOp::bit_and, *unit, algebra_.constant(memory.width, ~mask));
    return algebra_.binary(smt::TermOp::bit_or, others, moved);
  }
  // What an Update writes, as a value of the type.
  Value updated(ir::RmwOp op, Value before, Value operand) {
    switch (op) {
      case ir::RmwOp::exchange:
        return operand;
      case ir::RmwOp::add:
        return algebra_.binary(smt::TermOp::add, before, operand);
      case ir::RmwOp::sub:
        return algebra_.binary(smt::TermOp::sub, before, operand);
      case ir::RmwOp::bit_and:
        return algebra_.binary(smt::TermOp::bit_and, before, operand);
      case ir::RmwOp::bit_or:
        return algebra_.binary(smt::TermOp::bit_or, before, operand);
      case ir::RmwOp::bit_xor:
        return algebra_.binary(smt::TermOp::bit_xor, before, operand);
      case ir::RmwOp::nand:
        return algebra_.unary(smt::TermOp::bit_not,
                              algebra_.binary(smt::TermOp::bit_and, before, operand));
      case ir::RmwOp::compare_exchange:
        break;
    }
    CHECK(false, "whether a compare_exchange writes is for the caller to find out");
    return operand;
  }

 private:
  // A bit-field's cell starts with the byte that its first bit lies in.
  static std::uint32_t offset_in(const Cell& memory, ir::BitRange bits) {
    const std::uint32_t offset = bits.offset % 8;
    CHECK((offset + bits.width + 7) / 8 * 8 == memory.width,
          "a bit-field's cell has the bytes that its bits lie in, and no others");
    return offset;
  }

  A& algebra_;
};

}  // namespace heddle::domain
