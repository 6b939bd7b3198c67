// Static initialisers: what Clang's constant evaluator finds, as IR initialisers.
#pragma once

#include <vector>

#include "frontend/linker.hpp"

namespace heddle::frontend {

std::vector<ir::Initializer> lower_initializer(const clang::VarDecl& variable, Unit& unit,
                                               Linker& linker, ir::ProgramBuilder& builder);
std::vector<ir::Initializer> lower_initializer(const clang::CompoundLiteralExpr& literal,
                                               Unit& unit, Linker& linker,
                                               ir::ProgramBuilder& builder);

}  // namespace heddle::frontend
