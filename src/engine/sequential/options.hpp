// What the sequential engine can be told, and what it counts.
#pragma once

#include <cstdint>

namespace heddle::engine::sequential {

enum class Switch { off, on };

struct Options {
  // Variables with few known values (program counters, flags, addresses) are kept apart from the
  // formulas: a cut point is split by them.
  Switch split_by_values = Switch::on;
  std::uint32_t most_nodes = 4000;  // cut points times values; beyond, less is split
};

struct Statistics {
  std::uint64_t nodes = 0;       // cut points, split by values
  std::uint64_t cells = 0;       // memory kept as variables
  std::uint64_t predicates = 0;  // asked of the Horn solver
  std::uint64_t clauses = 0;
  std::uint64_t explorations = 0;  // until cells and splitting were settled
};

}  // namespace heddle::engine::sequential
