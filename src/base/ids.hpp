// Typed indices: every table of the program is addressed by number, never by
// pointer, so that the same input gives the same output, run after run.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>

namespace heddle::base {

template <class Tag>
struct Id {
  static constexpr std::uint32_t none_value = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t value = none_value;  // none_value: refers to nothing

  static constexpr Id none() { return {}; }
  constexpr bool valid() const { return value != none_value; }
  constexpr auto operator<=>(const Id&) const = default;
};

}  // namespace heddle::base

template <class Tag>
struct std::hash<heddle::base::Id<Tag>> {
  std::size_t operator()(heddle::base::Id<Tag> id) const noexcept { return id.value; }
};
