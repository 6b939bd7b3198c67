// Rebuilds an expression with some registers replaced by values; the builder
// simplifies it on the way.
#pragma once

#include <array>
#include <map>

#include "ir/builder.hpp"

namespace heddle::passes {

using RegisterValues = std::map<ir::RegId, ir::ExprId>;  // a value has its register's type

ir::ExprId substitute(ir::ProgramBuilder& builder, ir::ExprId id, const RegisterValues& values);

// The expression with other operands.
ir::ExprId rebuilt(ir::ProgramBuilder& builder, const ir::Expr& expr,
                   const std::array<ir::ExprId, 3>& args);

}  // namespace heddle::passes
