// One number, or unknown: the values of the value domain, with the operators of
// bit-vectors on them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "domain/lattice.hpp"

namespace heddle::domain {

struct Flat {
  std::uint8_t width = 1;
  std::optional<std::uint64_t> bits{};  // nullopt: any
  bool operator==(const Flat&) const = default;
};

class FlatLattice {
 public:
  using Value = Flat;

  // ---- the operators ----
  static Flat constant(std::uint32_t width, std::uint64_t bits);
  static std::optional<std::uint64_t> constant_of(const Flat& value) { return value.bits; }
  static Flat unary(smt::TermOp op, const Flat& operand);
  static Flat binary(smt::TermOp op, const Flat& left, const Flat& right);
  static Flat ite(const Flat& condition, const Flat& then, const Flat& otherwise);
  static Flat resize_unsigned(const Flat& value, std::uint32_t width);
  static Flat resize_signed(const Flat& value, std::uint32_t width);
  static Flat extract(const Flat& value, std::uint32_t low, std::uint32_t width);

  // ---- the lattice ----
  static Flat top(std::uint32_t width) { return {static_cast<std::uint8_t>(width), {}}; }
  static bool covers(const Flat& value, const Flat& other) {
    return !value.bits || value.bits == other.bits;
  }
  static Flat join(const Flat& left, const Flat& right) {
    return left.bits == right.bits ? left : top(left.width);
  }
  // Two steps at most.
  static Flat widen(const Flat& older, const Flat& newer) { return join(older, newer); }

  // ---- fewer values; nullopt: none ----
  static std::optional<Flat> meet(const Flat& left, const Flat& right);
  static std::optional<Flat> without(const Flat& value, std::uint64_t bits);
  // Those of `left` that may be so to one of `right`, and those of `right` that may to one of
  // `left`.
  static std::optional<Flat> restrict_left(Order order, const Flat& left, const Flat& right);
  static std::optional<Flat> restrict_right(Order order, const Flat& left, const Flat& right);

  // Whether cutting to the width and extending again changes no value.
  static bool fits_unsigned(const Flat& value, std::uint32_t width);
  static bool fits_signed(const Flat& value, std::uint32_t width);

  static std::optional<std::vector<std::uint64_t>> values(const Flat& value, std::size_t at_most);
  static Flat reduced(const Flat& value) { return value; }
  static std::uint64_t hash(const Flat& value);
};

}  // namespace heddle::domain
