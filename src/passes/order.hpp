// The locations of a function in the order in which a depth-first search from its entry
// leaves them: but for loops, each comes after all that follow it. Those that cannot be
// reached are missing.
#pragma once

#include <vector>

#include "ir/program.hpp"

namespace heddle::passes {

std::vector<ir::LocId> ends_first(const ir::Program& program, const ir::Function& function);

}  // namespace heddle::passes
