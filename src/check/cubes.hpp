// An invariant as its alternatives, so that each can be looked at alone: what an alternative says
// of single variables is put in their place, and most of a block folds away.
#pragma once

#include <cstdint>
#include <vector>

#include "check/formula.hpp"
#include "verdict/invariant.hpp"

namespace heddle::check {

using Cube = std::vector<std::uint32_t>;  // indices of formulas, all of which hold

// Together they mean what the formula means.
std::vector<Cube> cubes_of(const verdict::InductiveInvariant& invariant, std::uint32_t formula);

// `part` is an is_zero that holds. If it says that a variable is a number, or the address of an
// object plus a number, and the variable is not known yet, then it is put in its place. False: no
// value of the variable's type is that number.
bool substitute(smt::Terms& terms, const InvariantReader& reader,
                const verdict::InductiveInvariant& invariant, const verdict::Formula& part,
                SymbolicState& state);

}  // namespace heddle::check
