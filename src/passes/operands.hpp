// What a statement reads and writes, said once for all passes.
#pragma once

#include <functional>
#include <optional>

#include "ir/program.hpp"

namespace heddle::passes {

// The expressions that the statement evaluates before it writes its register. An Await's
// condition is left out: it is evaluated after `loaded` was written.
void for_each_operand(const ir::Statement& statement, const std::function<void(ir::ExprId)>& visit);
// Replaces them by what `change` gives back.
void change_operands(ir::Statement& statement, const std::function<ir::ExprId(ir::ExprId)>& change);
// The register that the statement writes.
std::optional<ir::RegId> written_register(const ir::Statement& statement);
// The address through which the statement touches memory.
std::optional<ir::ExprId> accessed_address(const ir::Statement& statement);
// Control does not go on to the edge's target.
bool ends_path(const ir::Statement& statement);
// Every register in the expression; one may be visited twice.
void for_each_register(const ir::Program& program, ir::ExprId id,
                       const std::function<void(ir::RegId)>& visit);

}  // namespace heddle::passes
