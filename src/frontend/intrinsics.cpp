#include <clang/Lex/Lexer.h>
#include <fmt/format.h>

#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {

std::string FunctionLowering::text_of(const clang::Expr* expr) const {
  const clang::SourceManager& sources = unit_.context().getSourceManager();
  const clang::CharSourceRange range =
      sources.getExpansionRange(clang::CharSourceRange::getTokenRange(expr->getSourceRange()));
  return clang::Lexer::getSourceText(range, sources, unit_.context().getLangOpts()).str();
}

std::optional<ir::ExprId> FunctionLowering::intrinsic(const std::string& name,
                                                      const clang::FunctionDecl* function,
                                                      const clang::CallExpr* call) {
  if (name == "reach_error" || name == "__VERIFIER_error") {
    emit(ir::Fail{ir::FailKind::error_call, name + "()"});
    if (function->isDefined()) return std::nullopt;  // its body runs when nobody asks about errors
    emit(ir::Exit{ir::ExitScope::abnormal});
    start_unreachable();
    return ir::ExprId{};
  }
  if (name.starts_with("__sync_") || name.starts_with("__atomic_") ||
      name.starts_with("__c11_atomic_"))
    return sync_builtin(name, call);
  if (function->isDefined()) return std::nullopt;
  if (name == "__assert_fail" && unit_.origin() == ir::Origin::user) {
    const auto* text = llvm::dyn_cast<clang::StringLiteral>(call->getArg(0)->IgnoreParenImpCasts());
    emit(ir::Fail{ir::FailKind::assertion,
                  text != nullptr ? text->getString().str() : std::string()});
    emit(ir::Exit{ir::ExitScope::abnormal});
    start_unreachable();
    return ir::ExprId{};
  }
  if (name.starts_with("__VERIFIER_")) return verifier_intrinsic(name, function, call);
  if (name.starts_with("__heddle_") && unit_.origin() == ir::Origin::model)
    return model_intrinsic(name, call);
  // Allocated and freed where the user wrote it, so that reports name that line.
  const bool by_user = unit_.origin() == ir::Origin::user && linker_.defined_by_model(name);
  if (by_user && name == "malloc" && call->getNumArgs() == 1)
    return builder_.cast(type(call->getType()),
                         allocate(call->getArg(0), ir::AllocKind::heap, ir::Contents::unset));
  if (by_user && name == "free" && call->getNumArgs() == 1) {
    emit(
        ir::Free{builder_.cast(builder_.pointer_to(builder_.void_type()), value(call->getArg(0)))});
    return ir::ExprId{};
  }
  if (name == "alloca") return allocate(call->getArg(0), ir::AllocKind::frame, ir::Contents::unset);
  if (name == "longjmp" || name == "_longjmp" || name == "siglongjmp" || name == "fork" ||
      name == "vfork")
    unsupported(name);
  return builtin(name, call);
}

std::optional<ir::ExprId> FunctionLowering::verifier_intrinsic(const std::string& name,
                                                               const clang::FunctionDecl* function,
                                                               const clang::CallExpr* call) {
  const auto first = [&] { return call->getArg(0); };
  if (name.starts_with("__VERIFIER_nondet_")) {
    if (function->getReturnType()->isVoidType()) return ir::ExprId{};
    if (!scalar(function->getReturnType())) unsupported(name);
    return havoc(type(function->getReturnType()));
  }
  if (name == "__VERIFIER_assume" && call->getNumArgs() == 1) {
    emit(ir::Assume{condition(first())});
    return ir::ExprId{};
  }
  if (name == "__VERIFIER_atomic_begin" || name == "__VERIFIER_atomic_end") {
    emit(ir::Atomic{name.ends_with("begin") ? ir::AtomicMark::begin : ir::AtomicMark::end});
    return ir::ExprId{};
  }
  if (name == "__VERIFIER_assert" && call->getNumArgs() == 1) {
    const ir::LocId bad = fresh(), good = fresh();
    branch(first(), good, bad);
    start(bad);
    emit(ir::Fail{ir::FailKind::error_call, text_of(first())});
    emit(ir::Exit{ir::ExitScope::abnormal});
    start(good);
    return ir::ExprId{};
  }
  return std::nullopt;
}

ir::ExprId FunctionLowering::allocate(const clang::Expr* size, ir::AllocKind kind,
                                      ir::Contents contents) {
  const ir::ExprId bytes = builder_.cast(builder_.size_type(), value(size));
  const ir::RegId block = temporary(builder_.pointer_to(builder_.void_type()));
  emit(ir::Alloc{block, bytes, kind, contents, {}});
  return builder_.reg(block);
}

// The last memory read of the condition moves into the Await, where it is repeated
// until the condition holds.
void FunctionLowering::await(const clang::Expr* condition, ir::WaitsFor waits_for) {
  const ir::ExprId holds = this->condition(condition);
  CHECK(last_edge_.valid(), "an awaited condition ends with a memory read");
  const ir::Edge edge = builder_.edge(last_edge_);
  const auto* load = std::get_if<ir::Load>(&edge.statement);
  CHECK(load != nullptr && edge.to == here_, "an awaited condition ends with a memory read");
  builder_.remove_edge(last_edge_);
  here_ = edge.from;
  emit(ir::Await{load->to, load->address, holds, waits_for, load->order});
}

std::optional<ir::ExprId> FunctionLowering::model_intrinsic(const std::string& name,
                                                            const clang::CallExpr* call) {
  const auto arg = [&](unsigned index) { return call->getArg(index); };
  if (name == "__heddle_atomic_begin")
    emit(ir::Atomic{ir::AtomicMark::begin});
  else if (name == "__heddle_atomic_end")
    emit(ir::Atomic{ir::AtomicMark::end});
  else if (name == "__heddle_await")
    await(arg(0), ir::WaitsFor::anyone);
  else if (name == "__heddle_await_holder")
    await(arg(0), ir::WaitsFor::holder);
  else if (name == "__heddle_clobber")
    emit(ir::Clobber{value(arg(0))});
  else if (name == "__heddle_free")
    emit(ir::Free{value(arg(0))});
  else if (name == "__heddle_exit_thread" || name == "__heddle_exit_process" ||
           name == "__heddle_abort") {
    emit(ir::Exit{name.ends_with("thread")    ? ir::ExitScope::thread
                  : name.ends_with("process") ? ir::ExitScope::process
                                              : ir::ExitScope::abnormal});
    start_unreachable();
  } else if (name == "__heddle_unsupported" || name == "__heddle_fail") {
    const clang::Expr* text = arg(0)->IgnoreParenImpCasts();
    const auto* literal = llvm::dyn_cast<clang::StringLiteral>(text);
    const std::string what = literal != nullptr ? literal->getString().str() : std::string();
    if (name == "__heddle_unsupported") {
      emit(ir::Unsupported{what});
      start_unreachable();
    } else {
      emit(ir::Fail{ir::FailKind::assertion, what});
    }
  } else if (name == "__heddle_self") {
    const ir::RegId to = temporary(int_type());
    emit(ir::Self{to});
    return builder_.reg(to);
  } else if (name == "__heddle_spawn") {
    const ir::ExprId routine = value(arg(0)), argument = value(arg(1));
    const ir::RegId to = temporary(int_type());
    emit(ir::Spawn{to, routine, argument});
    return builder_.reg(to);
  } else if (name == "__heddle_choose") {
    const ir::ExprId limit = value(arg(0));
    const ir::ExprId chosen = builder_.is_constant(limit) ? havoc(builder_.int_type(32, false),
                                                                  builder_.expr(limit).payload)
                                                          : havoc(builder_.int_type(32, false), 64);
    if (!builder_.is_constant(limit)) emit(ir::Assume{builder_.binary(ir::Op::lt, chosen, limit)});
    return chosen;
  } else if (name == "__heddle_allocate") {
    return allocate(arg(0), ir::AllocKind::model, ir::Contents::zero);
  } else if (name == "__heddle_malloc") {
    return allocate(arg(0), ir::AllocKind::heap, ir::Contents::unset);
  } else if (name == "__heddle_calloc") {
    return allocate(arg(0), ir::AllocKind::heap, ir::Contents::zero);
  } else if (name == "__heddle_object_size") {
    const ir::ExprId address = value(arg(0));
    const ir::RegId to = temporary(builder_.size_type());
    emit(ir::ObjectSize{to, address});
    return builder_.reg(to);
  } else {
    CHECK(false, "models use known intrinsics only: " + name);
  }
  return ir::ExprId{};
}

std::optional<ir::ExprId> FunctionLowering::builtin(const std::string& name,
                                                    const clang::CallExpr* call) {
  if (!name.starts_with("__builtin_")) return std::nullopt;
  if (const std::optional<ir::ExprId> constant =
          call->getType()->isVoidType() ? std::nullopt : constant_value(call))
    return constant;
  const auto arg = [&](unsigned index) { return call->getArg(index); };
  if (name == "__builtin_expect" || name == "__builtin_expect_with_probability")
    return value(arg(0));
  if (name == "__builtin_assume_aligned") return value(arg(0));
  if (name == "__builtin_constant_p") return builder_.constant(type(call->getType()), 0);
  if (name == "__builtin_object_size" || name == "__builtin_dynamic_object_size")
    return builder_.constant(type(call->getType()), ~std::uint64_t{0});
  if (name == "__builtin_unreachable") {
    emit(ir::Unsupported{"undefined: __builtin_unreachable is reached"});
    start_unreachable();
    return ir::ExprId{};
  }
  if (name == "__builtin_trap") {
    emit(ir::Exit{ir::ExitScope::abnormal});
    start_unreachable();
    return ir::ExprId{};
  }
  if (name.starts_with("__builtin_alloca"))
    return allocate(arg(0), ir::AllocKind::frame, ir::Contents::unset);
  if (name == "__builtin_va_start" || name == "__builtin_va_end" || name == "__builtin_va_copy" ||
      name == "__builtin_prefetch" || name == "__builtin_ia32_pause")
    return ir::ExprId{};
  if (name.ends_with("_overflow")) return overflow_builtin(name, call);
  if (name == "__builtin_return_address" || name == "__builtin_frame_address")
    return havoc(type(call->getType()));
  return std::nullopt;
}

// __builtin_add_overflow(a, b, &r): the exact result, converted; true if it did not fit.
std::optional<ir::ExprId> FunctionLowering::overflow_builtin(const std::string& name,
                                                             const clang::CallExpr* call) {
  const auto has = [&](const char* op) { return name.find(op) != std::string::npos; };
  if (!has("add") && !has("sub") && !has("mul")) return std::nullopt;
  const ir::ExprId left = keep(value(call->getArg(0))), right = keep(value(call->getArg(1)));
  const ir::ExprId address = value(call->getArg(2));
  const ir::TypeId result = type(call->getArg(2)->getType()->getPointeeType());
  const ir::Op op = has("add") ? ir::Op::add : has("sub") ? ir::Op::sub : ir::Op::mul;
  const bool same = builder_.expr(left).type == result && builder_.expr(right).type == result;
  ir::ExprId stored, overflows;
  if (same) {
    stored = builder_.binary(op, left, right);
    overflows = builder_.binary(op == ir::Op::add   ? ir::Op::add_overflows
                                : op == ir::Op::sub ? ir::Op::sub_overflows
                                                    : ir::Op::mul_overflows,
                                left, right);
  } else {
    const auto fits = [&](ir::ExprId e) { return builder_.type_of(e).width <= 32; };
    if (!fits(left) || !fits(right) || builder_.type(result).width > 32)
      unsupported(name + " on mixed 64-bit types");
    const ir::TypeId wide = builder_.int_type(64, true);
    const ir::ExprId exact =
        builder_.binary(op, builder_.cast(wide, left), builder_.cast(wide, right));
    stored = builder_.cast(result, exact);
    overflows = builder_.binary(ir::Op::ne, builder_.cast(wide, stored), exact);
  }
  const ir::ExprId flag = keep(overflows);
  write({.address = builder_.cast(builder_.pointer_to(result), address), .type = result}, stored);
  return builder_.cast(type(call->getType()), flag);
}

}  // namespace heddle::frontend
