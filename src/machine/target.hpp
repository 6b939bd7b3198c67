// The bytes and bits that a Load, Store, Update or Await touches. A bit-field
// touches only the bytes that its bits lie in, not its whole storage unit.
#pragma once

#include <cstdint>

#include "ir/arithmetic.hpp"
#include "ir/program.hpp"
#include "machine/state.hpp"

namespace heddle::machine {

struct Target {
  const ir::Type* type = nullptr;  // of the value
  Address address = 0;
  std::uint32_t size = 0;  // bytes, at most 8
  ir::BitRange bits{};     // within these bytes; width 0: all of them

  std::uint64_t mask() const {
    if (!bits.whole()) return ir::insert_bits(bits, 0, ~std::uint64_t{0});
    return size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (size * 8)) - 1;
  }
  // Between a value of the type and the bits in memory.
  std::uint64_t decode(std::uint64_t memory) const {
    return bits.whole() ? ir::truncate(*type, memory) : ir::extract_bits(*type, bits, memory);
  }
  std::uint64_t encode(std::uint64_t value) const {
    return bits.whole() ? value : ir::insert_bits(bits, 0, value);
  }
};

inline Target target_of(const ir::Program& program, ir::ExprId address_expr, Address address,
                        ir::BitRange bits) {
  const ir::Type& type = program.type(program.pointee(address_expr));
  if (bits.whole()) return {&type, address, static_cast<std::uint32_t>(type.size), {}};
  const std::uint32_t first = bits.offset / 8, last = (bits.offset + bits.width - 1) / 8;
  return {&type, address + first, last - first + 1, {bits.offset % 8, bits.width}};
}

}  // namespace heddle::machine
