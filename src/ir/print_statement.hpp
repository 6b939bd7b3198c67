// Statements as text with names already at hand, for whoever prints many of them.
#pragma once

#include <string>

#include "ir/print_expr.hpp"

namespace heddle::ir {

std::string statement_to_text(const Program& program, const Names& names,
                              const Statement& statement);

}  // namespace heddle::ir
