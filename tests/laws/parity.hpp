// Even, odd, or either: the worked example of docs/how-to-add-a-domain.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "domain/non_relational.hpp"

namespace heddle::laws {

struct Parity {
  std::uint8_t width = 1;
  std::optional<bool> odd{};  // nullopt: either
};

class ParityLattice {
 public:
  using Value = Parity;

  // ---- the operators ----
  static Parity constant(std::uint32_t width, std::uint64_t bits) {
    return {static_cast<std::uint8_t>(width), (bits & 1) != 0};
  }
  static std::optional<std::uint64_t> constant_of(const Parity& value) {
    if (value.width != 1 || !value.odd) return std::nullopt;
    return *value.odd ? 1 : 0;
  }
  static Parity unary(smt::TermOp op, const Parity& operand) {
    if (op == smt::TermOp::bit_not && operand.odd) return {operand.width, !*operand.odd};
    return operand;
  }
  static Parity binary(smt::TermOp op, const Parity& left, const Parity& right) {
    const bool known = left.odd && right.odd;
    const auto is = [](const Parity& value, bool odd) { return value.odd == odd; };
    switch (op) {
      case smt::TermOp::add:
      case smt::TermOp::sub:
      case smt::TermOp::bit_xor:
        if (known) return {left.width, *left.odd != *right.odd};
        return top(left.width);
      case smt::TermOp::mul:
      case smt::TermOp::bit_and:
        if (is(left, false) || is(right, false)) return {left.width, false};
        if (known) return {left.width, true};
        return top(left.width);
      case smt::TermOp::bit_or:
        if (is(left, true) || is(right, true)) return {left.width, true};
        if (known) return {left.width, false};
        return top(left.width);
      case smt::TermOp::eq:
        if (known && left.odd != right.odd) return constant(1, 0);
        return left.width == 1 && known ? constant(1, 1) : top(1);
      default:
        return top(smt::gives_truth(op) ? 1 : left.width);
    }
  }
  static Parity ite(const Parity& condition, const Parity& then, const Parity& otherwise) {
    if (condition.odd) return *condition.odd ? then : otherwise;
    return join(then, otherwise);
  }
  // Cutting and extending leave the lowest bit alone.
  static Parity resize_unsigned(const Parity& value, std::uint32_t width) {
    return {static_cast<std::uint8_t>(width), value.odd};
  }
  static Parity resize_signed(const Parity& value, std::uint32_t width) {
    return resize_unsigned(value, width);
  }
  static Parity extract(const Parity& value, std::uint32_t low, std::uint32_t width) {
    return low == 0 ? resize_unsigned(value, width) : top(width);
  }

  // ---- the order ----
  static Parity top(std::uint32_t width) { return {static_cast<std::uint8_t>(width), {}}; }
  static bool covers(const Parity& value, const Parity& other) {
    return !value.odd || value.odd == other.odd;
  }
  static Parity join(const Parity& left, const Parity& right) {
    return left.odd == right.odd ? left : top(left.width);
  }
  static Parity widen(const Parity& older, const Parity& newer) { return join(older, newer); }

  // ---- fewer values ----
  static std::optional<Parity> meet(const Parity& left, const Parity& right) {
    if (left.odd && right.odd && left.odd != right.odd) return std::nullopt;
    return left.odd ? left : right;
  }
  static std::optional<Parity> without(const Parity& value, std::uint64_t bits) {
    if (value.width != 1) return value;
    return meet(value, constant(1, bits ^ 1));
  }
  static std::optional<Parity> restrict_left(domain::Order, const Parity& left, const Parity&) {
    return left;
  }
  static std::optional<Parity> restrict_right(domain::Order, const Parity&, const Parity& right) {
    return right;
  }
  static bool fits_unsigned(const Parity&, std::uint32_t) { return false; }
  static bool fits_signed(const Parity&, std::uint32_t) { return false; }
  static Parity reduced(const Parity& value) { return value; }

  // ---- for the store ----
  static std::optional<std::vector<std::uint64_t>> values(const Parity& value,
                                                          std::size_t at_most) {
    const std::optional<std::uint64_t> only = constant_of(value);
    if (only && at_most >= 1) return std::vector{*only};
    return std::nullopt;
  }
  static std::uint64_t hash(const Parity& value) { return value.odd ? 1 + *value.odd : 0; }
};

inline std::unique_ptr<domain::Domain> make_parity(const ir::Program& program) {
  return std::make_unique<domain::NonRelationalDomain<ParityLattice>>("parity", domain::Merge::join,
                                                                      program, ParityLattice());
}

}  // namespace heddle::laws
