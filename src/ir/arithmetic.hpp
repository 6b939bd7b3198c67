// Exact C arithmetic on raw bits, as gcc compiles it for x86-64 and i386. The one
// meaning of every operator: the folder, the machine and the tests all use it.
#pragma once

#include <cstdint>

#include "ir/expr.hpp"
#include "ir/type.hpp"

namespace heddle::ir {

// Bits above a type's width are always zero ("zero-extended canonical form").
std::uint64_t truncate(const Type& type, std::uint64_t bits);
std::int64_t as_signed(const Type& type, std::uint64_t bits);

std::uint64_t apply_unary(Op op, const Type& type, std::uint64_t operand);
// `type` is the type of the left operand (not of the result, which is boolean for comparisons).
// Division by zero yields 0: the front end puts a Fail{division_by_zero} before every division.
std::uint64_t apply_binary(Op op, const Type& type, std::uint64_t left, std::uint64_t right);
// As above, for shifts whose amount has a type of its own.
std::uint64_t apply_shift(Op op, const Type& type, std::uint64_t left, std::uint64_t amount);

// Whether C leaves the result undefined: arithmetic in int or a wider signed type whose exact
// result does not fit. (Narrower arithmetic does not exist in C: operands are promoted.)
bool overflows_unary(Op op, const Type& type, std::uint64_t operand);
bool overflows_binary(Op op, const Type& type, std::uint64_t left, std::uint64_t right);
std::uint64_t convert(const Type& from, const Type& to, std::uint64_t bits);

// Reading and writing a bit-field within its storage unit.
std::uint64_t extract_bits(const Type& field_type, BitRange range, std::uint64_t unit);
std::uint64_t insert_bits(BitRange range, std::uint64_t unit, std::uint64_t value);

}  // namespace heddle::ir
