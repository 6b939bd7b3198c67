// Loops end at numbers that the program compares with, or next to them.
#include <algorithm>

#include "domain/interval.hpp"
#include "smt/fold.hpp"
#include "smt/range.hpp"

namespace heddle::domain {
namespace {

// So many stops a width: each may cost one more round of every loop.
constexpr std::size_t most_stops = 32;

bool compares(ir::Op op) {
  return op == ir::Op::eq || op == ir::Op::ne || op == ir::Op::lt || op == ir::Op::le;
}

template <class Number>
void tidy(std::vector<Number>& stops) {
  std::sort(stops.begin(), stops.end());
  stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
  if (stops.size() <= most_stops) return;
  std::vector<Number> kept;
  for (std::size_t i = 0; i < most_stops; ++i)
    kept.push_back(stops[i * (stops.size() - 1) / (most_stops - 1)]);
  stops = std::move(kept);
}

template <class Number>
Number next_below(const std::vector<Number>& stops, Number bound, Number end) {
  const auto above = std::upper_bound(stops.begin(), stops.end(), bound);
  return above == stops.begin() ? end : *std::prev(above);
}

template <class Number>
Number next_above(const std::vector<Number>& stops, Number bound, Number end) {
  const auto found = std::lower_bound(stops.begin(), stops.end(), bound);
  return found == stops.end() ? end : *found;
}

template <class Number>
const std::vector<Number>& of_width(const std::vector<std::vector<Number>>& stops,
                                    std::uint32_t width) {
  static const std::vector<Number> none;
  return width < stops.size() ? stops[width] : none;
}

}  // namespace

Thresholds::Thresholds(const ir::Program& program) : unsigned_(65), signed_(65) {
  // A small type is promoted before it is compared, so every width gets what fits it.
  const auto add = [&](std::uint32_t width, std::uint64_t bits) {
    const std::int64_t number = smt::signed_value(width, bits);
    for (std::uint32_t to = 1; to <= 64; ++to) {
      if (bits <= smt::mask_of(to)) unsigned_[to].push_back(bits);
      const smt::Range all = smt::full_range(to);
      if (number >= all.signed_low && number <= all.signed_high) signed_[to].push_back(number);
    }
  };
  for (const ir::Expr& expr : program.exprs()) {
    if (!compares(expr.op)) continue;
    for (const ir::ExprId side : expr.operands()) {
      const ir::Expr& operand = program.expr(side);
      const ir::Type& type = program.type(operand.type);
      if (operand.op != ir::Op::constant || type.kind == ir::TypeKind::floating) continue;
      const std::uint64_t all = smt::mask_of(type.width);
      for (const std::uint64_t bits : {operand.payload - 1, operand.payload, operand.payload + 1})
        add(type.width, bits & all);
    }
  }
  add(64, 0);
  for (std::uint32_t width = 1; width <= 64; ++width) {
    tidy(unsigned_[width]);
    tidy(signed_[width]);
  }
}

std::uint64_t Thresholds::unsigned_at_most(std::uint32_t width, std::uint64_t bound) const {
  return next_below<std::uint64_t>(of_width(unsigned_, width), bound, 0);
}

std::uint64_t Thresholds::unsigned_at_least(std::uint32_t width, std::uint64_t bound) const {
  return next_above<std::uint64_t>(of_width(unsigned_, width), bound, smt::mask_of(width));
}

std::int64_t Thresholds::signed_at_most(std::uint32_t width, std::int64_t bound) const {
  return next_below<std::int64_t>(of_width(signed_, width), bound,
                                  smt::full_range(width).signed_low);
}

std::int64_t Thresholds::signed_at_least(std::uint32_t width, std::int64_t bound) const {
  return next_above<std::int64_t>(of_width(signed_, width), bound,
                                  smt::full_range(width).signed_high);
}

}  // namespace heddle::domain
