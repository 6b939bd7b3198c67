// Bounds of a number, as an unsigned and as a signed one at once: the values of the
// interval domain. The operators are those of smt/range.hpp, exact about wrap-around.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "domain/lattice.hpp"
#include "domain/store.hpp"
#include "smt/term.hpp"

namespace heddle::domain {

struct Interval {
  std::uint8_t width = 1;
  smt::Range
      range{};  // never empty; as join and widen leave it, the views may know different things
};

// Where widening stops: bounds that the program compares with, by the width of what it compares.
class Thresholds {
 public:
  Thresholds() = default;
  explicit Thresholds(const ir::Program& program);

  // The nearest stop that is not nearer to zero values, or the end of the type.
  std::uint64_t unsigned_at_most(std::uint32_t width, std::uint64_t bound) const;
  std::uint64_t unsigned_at_least(std::uint32_t width, std::uint64_t bound) const;
  std::int64_t signed_at_most(std::uint32_t width, std::int64_t bound) const;
  std::int64_t signed_at_least(std::uint32_t width, std::int64_t bound) const;

 private:
  std::vector<std::vector<std::uint64_t>> unsigned_{};  // by width, rising
  std::vector<std::vector<std::int64_t>> signed_{};
};

class IntervalLattice {
 public:
  using Value = Interval;

  explicit IntervalLattice(Thresholds thresholds = {}) : thresholds_(std::move(thresholds)) {}

  // ---- the operators ----
  static Interval constant(std::uint32_t width, std::uint64_t bits);
  static std::optional<std::uint64_t> constant_of(const Interval& value);
  static Interval unary(smt::TermOp op, const Interval& operand);
  static Interval binary(smt::TermOp op, const Interval& left, const Interval& right);
  static Interval ite(const Interval& condition, const Interval& then, const Interval& otherwise);
  static Interval resize_unsigned(const Interval& value, std::uint32_t width);
  static Interval resize_signed(const Interval& value, std::uint32_t width);
  static Interval extract(const Interval& value, std::uint32_t low, std::uint32_t width);

  // ---- the order: by each bound on its own ----
  static Interval top(std::uint32_t width);
  static bool covers(const Interval& value, const Interval& other);
  static Interval join(const Interval& left, const Interval& right);
  Interval widen(const Interval& older, const Interval& newer) const;

  // ---- fewer values ----
  static std::optional<Interval> meet(const Interval& left, const Interval& right);
  static std::optional<Interval> without(const Interval& value, std::uint64_t bits);
  static std::optional<Interval> restrict_left(Order order, const Interval& left,
                                               const Interval& right);
  static std::optional<Interval> restrict_right(Order order, const Interval& left,
                                                const Interval& right);
  static bool fits_unsigned(const Interval& value, std::uint32_t width);
  static bool fits_signed(const Interval& value, std::uint32_t width);
  static Interval reduced(const Interval& value);

  static std::optional<std::vector<std::uint64_t>> values(const Interval& value,
                                                          std::size_t at_most);
  static std::uint64_t hash(const Interval& value);

 private:
  Thresholds thresholds_;
};

// The program must outlive the domain.
std::unique_ptr<Domain> make_interval(const ir::Program& program);

}  // namespace heddle::domain
