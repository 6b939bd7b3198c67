// Durations and sizes as people write them.
#include <charconv>
#include <cmath>

#include "app/options.hpp"

namespace heddle::app {
namespace {

struct Quantity {
  double number = 0;
  std::string unit{};
};

std::optional<Quantity> split(const std::string& text) {
  Quantity quantity;
  const char* end = text.data() + text.size();
  const auto [rest, error] =
      std::from_chars(text.data(), end, quantity.number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(quantity.number) || quantity.number < 0)
    return std::nullopt;
  quantity.unit.assign(rest, end);
  return quantity;
}

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(const std::string& text) {
  const std::optional<Quantity> quantity = split(text);
  if (!quantity) return std::nullopt;
  double milliseconds = 0;
  if (quantity->unit == "ms") milliseconds = 1;
  if (quantity->unit.empty() || quantity->unit == "s") milliseconds = 1000;
  if (quantity->unit == "m" || quantity->unit == "min") milliseconds = 60'000;
  if (quantity->unit == "h") milliseconds = 3'600'000;
  const double total = quantity->number * milliseconds;
  constexpr double longest = 1e12;  // some thirty years: beyond, clocks overflow
  if (total <= 0 || total > longest) return std::nullopt;
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(total)));
}

std::optional<std::uint64_t> parse_size(const std::string& text) {
  std::optional<Quantity> quantity = split(text);
  if (!quantity) return std::nullopt;
  if (quantity->unit.size() > 1 && quantity->unit.ends_with("B")) quantity->unit.pop_back();
  double bytes = 0;
  if (quantity->unit == "K") bytes = 1024.0;
  if (quantity->unit == "M") bytes = 1024.0 * 1024;
  if (quantity->unit == "G") bytes = 1024.0 * 1024 * 1024;
  const double total = quantity->number * bytes;
  if (total < 1 || total > 1e18) return std::nullopt;
  return static_cast<std::uint64_t>(total);
}

}  // namespace heddle::app
