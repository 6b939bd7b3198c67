// Looks up a value that the caller of the machine knows.
#pragma once

#include <cstdint>
#include <optional>

#include "machine/machine.hpp"

namespace heddle::machine {

inline std::optional<std::uint64_t> find_value(KnownValues given, ir::ExprId expr) {
  for (const KnownValue& known : given)
    if (known.expr == expr) return known.value;
  return std::nullopt;
}

}  // namespace heddle::machine
