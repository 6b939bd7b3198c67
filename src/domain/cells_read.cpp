#include "domain/cells_read.hpp"

#include <vector>

namespace heddle::domain {

std::set<Cell> cells_read(const ir::Program& program, ir::ExprId expr, const Scope& scope) {
  std::set<Cell> result;
  std::set<ir::ExprId> seen;
  std::vector<ir::ExprId> open{expr};
  while (!open.empty()) {
    const ir::ExprId at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    const ir::Expr& node = program.expr(at);
    open.insert(open.end(), node.operands().begin(), node.operands().end());
    if (node.op != ir::Op::reg) continue;
    const Operand operand = scope.reg({static_cast<std::uint32_t>(node.payload)});
    if (const auto* cell = std::get_if<Cell>(&operand)) result.insert(*cell);
  }
  return result;
}

}  // namespace heddle::domain
