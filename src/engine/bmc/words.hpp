// Between a value of a C type and the bits that stand for it in memory.
#pragma once

#include "machine/target.hpp"
#include "smt/term.hpp"

namespace heddle::engine::bmc {

inline smt::Term decode(smt::Terms& terms, const machine::Target& target, smt::Term memory) {
  if (target.bits.whole()) return terms.extract(memory, 0, target.type->width);
  const smt::Term field = terms.extract(memory, target.bits.offset, target.bits.width);
  return target.type->is_signed ? terms.sext(field, target.type->width)
                                : terms.zext(field, target.type->width);
}

inline smt::Term encode(smt::Terms& terms, const machine::Target& target, smt::Term value) {
  return terms.resize_unsigned(value, 8 * target.size);
}

}  // namespace heddle::engine::bmc
