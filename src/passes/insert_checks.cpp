#include "passes/insert_checks.hpp"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "ir/print.hpp"
#include "passes/operands.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

struct OverflowCheck {
  ExprId condition;  // boolean: the operation overflows, and is evaluated
  ExprId operation;
};

class CheckFinder {
 public:
  explicit CheckFinder(ProgramBuilder& builder) : builder_(builder) {}

  void visit(ExprId id, ExprId evaluated) {
    const Expr expr = builder_.expr(id);
    if (expr.op == Op::select) {
      visit(expr.args[0], evaluated);
      visit(expr.args[1], both(evaluated, expr.args[0]));
      visit(expr.args[2], both(evaluated, builder_.negation(expr.args[0])));
      return;
    }
    for (const ExprId operand : expr.operands()) visit(operand, evaluated);
    const auto overflow = overflow_of(expr);
    if (!overflow) return;
    const ExprId condition = both(evaluated, *overflow);
    const bool never = builder_.is_constant(condition) && builder_.expr(condition).payload == 0;
    if (!never && seen_.insert(condition).second) checks_.push_back({condition, id});
  }

  const std::vector<OverflowCheck>& checks() const { return checks_; }

 private:
  ExprId both(ExprId left, ExprId right) {
    return builder_.select(left, right, builder_.constant(builder_.bool_type(), 0));
  }

  std::optional<ExprId> overflow_of(const Expr& expr) {
    const Type& type = builder_.type(expr.type);
    if (type.kind != TypeKind::integer || !type.is_signed || type.width < 32) return std::nullopt;
    const std::uint64_t lowest = std::uint64_t{1} << (type.width - 1);
    switch (expr.op) {
      case Op::add:
        return builder_.binary(Op::add_overflows, expr.args[0], expr.args[1]);
      case Op::sub:
        return builder_.binary(Op::sub_overflows, expr.args[0], expr.args[1]);
      case Op::mul:
        return builder_.binary(Op::mul_overflows, expr.args[0], expr.args[1]);
      case Op::neg:
        return builder_.binary(Op::sub_overflows, builder_.constant(expr.type, 0), expr.args[0]);
      case Op::div:
      case Op::rem:
        return both(
            builder_.binary(Op::eq, expr.args[0], builder_.constant(expr.type, lowest)),
            builder_.binary(Op::eq, expr.args[1], builder_.constant(expr.type, ~std::uint64_t{0})));
      default:
        return std::nullopt;
    }
  }

  ProgramBuilder& builder_;
  std::vector<OverflowCheck> checks_{};
  std::set<ExprId> seen_{};
};

// Moves the edges of `at` to a new location behind the checks. Edge ids stay.
void insert_before(ProgramBuilder& builder, LocId at, const std::vector<OverflowCheck>& checks) {
  const FunId function = builder.location(at).function;
  const std::vector<EdgeId> moved = std::exchange(builder.location(at).out, {});
  const base::SourceRange source = builder.edge(moved.front()).source;
  LocId current = at;
  for (const OverflowCheck& check : checks) {
    const LocId broken = builder.add_location(function);
    const LocId next = builder.add_location(function);
    const std::string text = expr_to_c(builder.view(), check.operation);
    builder.add_edge(current, broken, Assume{check.condition}, source);
    builder.add_edge(current, next, Assume{builder.negation(check.condition)}, source);
    builder.add_edge(broken, next, Fail{FailKind::overflow, text}, source);
    current = next;
  }
  for (const EdgeId id : moved) {
    builder.edge(id).from = current;
    builder.location(current).out.push_back(id);
  }
}

}  // namespace

Program insert_overflow_checks(Program program) {
  ProgramBuilder builder(std::move(program));
  const std::vector<Function> functions(builder.view().functions().begin(),
                                        builder.view().functions().end());
  for (const Function& function : functions) {
    if (function.origin == Origin::model) continue;
    for (const LocId at : function.locations) {
      CheckFinder finder(builder);
      const ExprId always = builder.constant(builder.bool_type(), 1);
      for (const EdgeId id : std::vector<EdgeId>(builder.location(at).out)) {
        const Statement statement = builder.edge(id).statement;
        for_each_operand(statement, [&](ExprId operand) { finder.visit(operand, always); });
      }
      if (!finder.checks().empty()) insert_before(builder, at, finder.checks());
    }
  }
  return std::move(builder).finish();
}

}  // namespace heddle::passes
