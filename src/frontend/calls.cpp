#include <fmt/format.h>

#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {
ir::ExprId FunctionLowering::havoc(ir::TypeId id, std::uint64_t limit) {
  const ir::RegId any = temporary(id);
  emit(ir::Havoc{any, limit});
  return builder_.reg(any);
}

ir::ExprId FunctionLowering::argument(const clang::Expr* expr) {
  if (scalar(expr->getType())) {
    const ir::ExprId passed = value(expr);
    return passed;
  }
  // Records are passed as the address of a copy that belongs to the callee.
  const ir::ExprId from = aggregate(expr);
  const ir::ExprId copied = allocate_local("argument", type(expr->getType()), ir::Contents::unset);
  copy(copied, from, type(expr->getType()));
  return copied;
}

std::vector<ir::ExprId> FunctionLowering::arguments(const clang::CallExpr* call) {
  std::vector<ir::ExprId> args;
  for (const clang::Expr* expr : call->arguments()) {
    args.push_back(argument(expr));
    // Later arguments may change a register that this one reads.
    if (builder_.expr(args.back()).op != ir::Op::constant && call->getNumArgs() > 1)
      for (const clang::Expr* other : call->arguments())
        if (other != expr && other->HasSideEffects(unit_.context())) {
          args.back() = keep(args.back());
          break;
        }
  }
  return args;
}

ir::ExprId FunctionLowering::call(const clang::CallExpr* call) {
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (function == nullptr) {
    const ir::ExprId callee = keep(value(call->getCallee()));
    return call_function(callee, call);
  }
  const std::string name = function->getNameAsString();
  if (const std::optional<ir::ExprId> done = intrinsic(name, function, call)) return *done;
  if (function->getDefinition() == nullptr && linker_.only_returns_something(name)) {
    for (const clang::Expr* expr : call->arguments()) effect(expr);
    return call->getType()->isVoidType() ? ir::ExprId{} : havoc(type(call->getType()));
  }
  if (const std::optional<ir::FunId> known = linker_.function(function, unit_))
    return call_function(builder_.function_address(*known), call);
  static constexpr std::string_view prefix = "__builtin_";
  if (name.starts_with(prefix))
    if (const std::optional<ir::FunId> known = linker_.function_named(name.substr(prefix.size())))
      return call_function(builder_.function_address(*known), call);
  return call_unknown(function, call);
}

ir::ExprId FunctionLowering::call_function(ir::ExprId callee, const clang::CallExpr* call) {
  std::vector<ir::ExprId> args = arguments(call);
  const clang::QualType result = call->getCallReturnType(unit_.context());
  if (result->isVoidType()) {
    emit(ir::Call{callee, std::move(args), std::nullopt});
    return {};
  }
  if (!scalar(result)) {
    const ir::ExprId address = allocate_local("result", type(result), ir::Contents::unset);
    args.insert(args.begin(), address);
    emit(ir::Call{callee, std::move(args), std::nullopt});
    return address;
  }
  const ir::RegId to = temporary(type(result));
  emit(ir::Call{callee, std::move(args), to});
  return builder_.reg(to);
}

void FunctionLowering::call_by_name(const std::string& name, std::vector<ir::ExprId> args) {
  const std::optional<ir::FunId> function = linker_.function_named(name);
  CHECK(function.has_value(), "the model library defines " + name);
  emit(ir::Call{builder_.function_address(*function), std::move(args), std::nullopt});
}

// What scanf and its kin read goes where their arguments point, as plain writes.
void FunctionLowering::store_anything(const clang::Expr* pointer, ir::ExprId address) {
  const clang::QualType pointee = pointer->IgnoreParenImpCasts()->getType()->getPointeeType();
  const bool text = pointee.isNull() || pointee->isAnyCharacterType() || !scalar(pointee);
  if (text) return emit(ir::Clobber{address});
  const Place target = memory_place(address, pointee);
  write(target, havoc(target.type));
}

// A function that nobody defines: any result, and whatever its arguments point to is unknown.
ir::ExprId FunctionLowering::call_unknown(const clang::FunctionDecl* function,
                                          const clang::CallExpr* call) {
  const std::vector<ir::ExprId> args = arguments(call);
  for (std::size_t i = 0; i < args.size(); ++i) {
    const clang::Expr* given = call->getArg(static_cast<unsigned>(i))->IgnoreParenImpCasts();
    const clang::QualType pointee =
        call->getArg(static_cast<unsigned>(i))->getType()->getPointeeType();
    if (pointee.isNull() || pointee.isConstQualified() || pointee->isFunctionType()) continue;
    if (llvm::isa<clang::StringLiteral>(given)) continue;
    if (function->getName().ends_with("scanf"))
      store_anything(call->getArg(static_cast<unsigned>(i)), args[i]);
    else
      emit(ir::Clobber{args[i]});
  }
  builder_.add_assumption(
      fmt::format(
          "function '{}' is not defined: assumed to return any value and to change only what "
          "its arguments point to",
          function->getNameAsString()),
      source_);
  if (function->isNoReturn()) {
    emit(ir::Exit{ir::ExitScope::abnormal});
    start_unreachable();
  }
  const clang::QualType result = call->getCallReturnType(unit_.context());
  if (result->isVoidType()) return {};
  if (scalar(result)) return havoc(type(result));
  return allocate_local("result", type(result), ir::Contents::unset);
}

}  // namespace heddle::frontend
