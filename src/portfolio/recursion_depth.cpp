#include "portfolio/recursion_depth.hpp"

#include <algorithm>

namespace heddle::portfolio {
namespace {

// Of all threads, where recursion is expanded deeper than asked for.
constexpr std::uint32_t most_points = 12'000;

}  // namespace

sequentialize::Sequential RecursionDepth::expand(sequentialize::ExpansionLimits limits,
                                                 std::uint32_t wanted, const Make& make) {
  if (limits.recursion_growth == sequentialize::Growth::none) return make(limits);
  const std::uint32_t given = limits.recursion;
  worked_ = std::max(worked_, given);
  for (std::uint32_t depth = std::max(given, std::min(wanted, deepest_)); depth > given;) {
    sequentialize::ExpansionLimits deeper = limits;
    deeper.recursion = depth;
    deeper.most_points = std::min(limits.most_points, most_points);
    try {
      sequentialize::Sequential made = make(deeper);
      worked_ = std::max(worked_, depth);
      return made;
    } catch (const sequentialize::TooLarge&) {
      depth = depth > worked_ ? worked_ + (depth - worked_) / 2 : given;
      deepest_ = depth;
    }
  }
  return make(limits);
}

}  // namespace heddle::portfolio
