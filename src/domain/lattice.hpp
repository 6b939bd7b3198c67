// What a domain must say of single values, so that NonRelational can make stores of them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "smt/term.hpp"

namespace heddle::domain {

enum class Order : std::uint8_t { unsigned_less, unsigned_at_most, signed_less, signed_at_most };

// A Value stands for a set of bit patterns of one width, which is never empty: what could be
// empty is an optional. The operators are those of smt::Terms; their results hold at least what
// the operands' values give.
template <class L>
concept Lattice = requires(const L& lattice, typename L::Value value, std::uint32_t width,
                           std::uint64_t bits, smt::TermOp op, Order order, std::size_t count) {
  // ---- the operators ----
  { lattice.constant(width, bits) } -> std::same_as<typename L::Value>;
  { lattice.constant_of(value) } -> std::same_as<std::optional<std::uint64_t>>;
  { lattice.unary(op, value) } -> std::same_as<typename L::Value>;
  { lattice.binary(op, value, value) } -> std::same_as<typename L::Value>;
  { lattice.ite(value, value, value) } -> std::same_as<typename L::Value>;
  { lattice.resize_unsigned(value, width) } -> std::same_as<typename L::Value>;
  { lattice.resize_signed(value, width) } -> std::same_as<typename L::Value>;
  { lattice.extract(value, width, width) } -> std::same_as<typename L::Value>;
  // ---- the order ----
  { lattice.top(width) } -> std::same_as<typename L::Value>;
  {
    lattice.covers(value, value)
    } -> std::same_as<bool>;  // each value of the second is in the first
  { lattice.join(value, value) } -> std::same_as<typename L::Value>;   // the least that covers both
  { lattice.widen(value, value) } -> std::same_as<typename L::Value>;  // covers both; older, newer
  // ---- fewer values; nullopt: none. Never drops a value that should stay ----
  { lattice.meet(value, value) } -> std::same_as<std::optional<typename L::Value>>;
  { lattice.without(value, bits) } -> std::same_as<std::optional<typename L::Value>>;
  // Of `left`, what is in the order to some value of `right`; and the other way round.
  { lattice.restrict_left(order, value, value) } -> std::same_as<std::optional<typename L::Value>>;
  { lattice.restrict_right(order, value, value) } -> std::same_as<std::optional<typename L::Value>>;
  // Whether every value is what zero- or sign-extending its lowest bits gives.
  { lattice.fits_unsigned(value, width) } -> std::same_as<bool>;
  { lattice.fits_signed(value, width) } -> std::same_as<bool>;
  // The same values, written with less. Applied where a value is read, never by join and widen.
  { lattice.reduced(value) } -> std::same_as<typename L::Value>;
  // ---- for the store ----
  { lattice.values(value, count) } -> std::same_as<std::optional<std::vector<std::uint64_t>>>;
  { lattice.hash(value) } -> std::same_as<std::uint64_t>;  // equal for what covers each other
};

}  // namespace heddle::domain
