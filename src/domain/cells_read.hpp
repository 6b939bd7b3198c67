// The cells that the value of an expression depends on.
#pragma once

#include <set>

#include "domain/store.hpp"

namespace heddle::domain {

std::set<Cell> cells_read(const ir::Program& program, ir::ExprId expr, const Scope& scope);

}  // namespace heddle::domain
