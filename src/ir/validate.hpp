// What every finished Program satisfies. A violation is our bug (CHECK).
#pragma once

#include <span>

#include "ir/program.hpp"

namespace heddle::ir {

// A location is a loop head if a depth-first walk from the entry finds a back edge to it.
void mark_loop_heads(std::span<const Function> functions, std::span<Location> locations,
                     std::span<const Edge> edges);

// Registers are used in their own function only; operand types fit; several edges leave a
// location only as Assumes; every user-visible register is scalar.
void validate(const Program& program);

}  // namespace heddle::ir
