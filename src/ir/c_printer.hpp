// The user's part of a program as C that compiles, reads well and means the same:
// names are kept, types have their exact layout, library functions are called by
// name, blocks stand in source order and jumps only go where control really jumps.
// Differs from the source in that every memory access is a statement of its own.
#pragma once

#include <string>

#include "ir/program.hpp"

namespace heddle::ir {

std::string to_c(const Program& program);

}  // namespace heddle::ir
