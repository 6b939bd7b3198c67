#include "passes/substitute.hpp"

namespace heddle::passes {

using namespace ir;

ExprId rebuilt(ProgramBuilder& builder, const Expr& expr, const std::array<ExprId, 3>& args) {
  switch (expr.op) {
    case Op::neg:
    case Op::bit_not:
    case Op::logical_not:
      return builder.unary(expr.op, args[0]);
    case Op::cast:
      return builder.cast(expr.type, args[0]);
    case Op::select:
      return builder.select(args[0], args[1], args[2]);
    case Op::ptr_add:
      return builder.ptr_add(args[0], args[1]);
    case Op::ptr_diff:
      return builder.ptr_diff(expr.type, args[0], args[1]);
    case Op::field:
      return builder.field(args[0], static_cast<std::uint32_t>(expr.payload));
    default:
      return builder.binary(expr.op, args[0], args[1]);
  }
}

ExprId substitute(ProgramBuilder& builder, ExprId id, const RegisterValues& values) {
  const Expr expr = builder.expr(id);  // a copy: the table grows below
  if (expr.op == Op::reg) {
    const auto at = values.find(RegId{static_cast<std::uint32_t>(expr.payload)});
    return at == values.end() ? id : at->second;
  }
  std::array<ExprId, 3> args = expr.args;
  for (std::size_t i = 0; i < expr.arity; ++i) args[i] = substitute(builder, expr.args[i], values);
  return args == expr.args ? id : rebuilt(builder, expr, args);
}

}  // namespace heddle::passes
