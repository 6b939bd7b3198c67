#include <fmt/format.h>

#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {

std::optional<ir::ExprId> FunctionLowering::constant_value(const clang::Expr* expr) {
  const ir::TypeId id = type(expr->getType());
  clang::Expr::EvalResult result;
  if (!builder_.type(id).scalar() || !expr->EvaluateAsRValue(result, unit_.context()))
    return std::nullopt;
  if (result.HasSideEffects) return std::nullopt;
  if (result.Val.isInt() && result.Val.getInt().getBitWidth() <= 64)
    return builder_.constant(id, result.Val.getInt().extOrTrunc(64).getZExtValue());
  if (result.Val.isFloat())
    return builder_.constant(id, result.Val.getFloat().bitcastToAPInt().getZExtValue());
  return std::nullopt;
}

ir::ExprId FunctionLowering::value(const clang::Expr* expr) {
  using clang::Stmt;
  const Nesting nesting(*this);
  if (!expr->getType()->isVoidType() && !scalar(expr->getType()))
    unsupported("values of type '" + expr->getType().getAsString() + "'");
  switch (expr->getStmtClass()) {
    case Stmt::ParenExprClass:
      return value(llvm::cast<clang::ParenExpr>(expr)->getSubExpr());
    case Stmt::ConstantExprClass:
      return value(llvm::cast<clang::ConstantExpr>(expr)->getSubExpr());
    case Stmt::GenericSelectionExprClass:
      return value(llvm::cast<clang::GenericSelectionExpr>(expr)->getResultExpr());
    case Stmt::ChooseExprClass:
      return value(llvm::cast<clang::ChooseExpr>(expr)->getChosenSubExpr());
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass:
      return cast_value(llvm::cast<clang::CastExpr>(expr));
    case Stmt::CompoundAssignOperatorClass:
      return compound_assign(llvm::cast<clang::CompoundAssignOperator>(expr));
    case Stmt::BinaryOperatorClass:
      return binary_value(llvm::cast<clang::BinaryOperator>(expr));
    case Stmt::UnaryOperatorClass:
      return unary_value(llvm::cast<clang::UnaryOperator>(expr));
    case Stmt::ConditionalOperatorClass: {
      const auto* choice = llvm::cast<clang::ConditionalOperator>(expr);
      return conditional_value(choice->getCond(), choice->getTrueExpr(), choice->getFalseExpr(),
                               expr->getType());
    }
    case Stmt::BinaryConditionalOperatorClass:
      return elvis_value(llvm::cast<clang::BinaryConditionalOperator>(expr));
    case Stmt::OpaqueValueExprClass:
      return opaque_values_.at(llvm::cast<clang::OpaqueValueExpr>(expr));
    case Stmt::CallExprClass:
      return call(llvm::cast<clang::CallExpr>(expr));
    case Stmt::AtomicExprClass:
      return atomic(llvm::cast<clang::AtomicExpr>(expr));
    case Stmt::StmtExprClass:
      return statement_expression(llvm::cast<clang::StmtExpr>(expr));
    case Stmt::UnaryExprOrTypeTraitExprClass:
      return size_of(llvm::cast<clang::UnaryExprOrTypeTraitExpr>(expr));
    case Stmt::MemberExprClass:  // also of a record that is only a value: f().x
    case Stmt::ArraySubscriptExprClass:
      return read(place(expr));
    case Stmt::ImplicitValueInitExprClass:
      return builder_.constant(type(expr->getType()), 0);
    case Stmt::InitListExprClass: {  // a scalar in braces
      const auto* list = llvm::cast<clang::InitListExpr>(expr);
      return list->getNumInits() == 0 ? builder_.constant(type(expr->getType()), 0)
                                      : value(list->getInit(0));
    }
    default:
      break;
  }
  if (expr->isLValue()) return read(place(expr));
  if (const std::optional<ir::ExprId> constant = constant_value(expr)) return *constant;
  unsupported(std::string("expression ") + expr->getStmtClassName());
}

void FunctionLowering::effect(const clang::Expr* expr) {
  const clang::Expr* inner = expr->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(inner))
    if (cast->getCastKind() == clang::CK_ToVoid) return effect(cast->getSubExpr());
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(inner)) {
    this->call(call);
    return;
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner)) {
    if (binary->getOpcode() == clang::BO_Comma) {
      effect(binary->getLHS());
      return effect(binary->getRHS());
    }
    if (binary->isLogicalOp()) {
      const ir::LocId rest = fresh(), after = fresh();
      if (binary->getOpcode() == clang::BO_LAnd)
        branch(binary->getLHS(), rest, after);
      else
        branch(binary->getLHS(), after, rest);
      start(rest);
      effect(binary->getRHS());
      jump(after);
      return start(after);
    }
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
    const ir::LocId then = fresh(), otherwise = fresh(), after = fresh();
    branch(choice->getCond(), then, otherwise);
    start(then);
    effect(choice->getTrueExpr());
    jump(after);
    start(otherwise);
    effect(choice->getFalseExpr());
    jump(after);
    return start(after);
  }
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(inner))
    return statement(block->getSubStmt());
  if (inner->getType()->isVoidType()) {
    value(inner);
    return;
  }
  if (!scalar(inner->getType())) {
    if (inner->isLValue() && !inner->HasSideEffects(unit_.context())) return;
    aggregate(inner);
    return;
  }
  if (inner->isLValue()) {  // evaluated but not read, unless volatile
    const Place where = place(inner);
    if (inner->getType().isVolatileQualified()) read(where);
    return;
  }
  const ir::ExprId unused = value(inner);  // but computed, so it may overflow
  if (builder_.expr(unused).arity > 0) keep(unused);
}

ir::ExprId FunctionLowering::condition(const clang::Expr* expr) {
  const clang::Expr* inner = expr->IgnoreParens();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner))
    if (binary->isComparisonOp() || binary->isLogicalOp()) {
      const ir::ExprId as_int = value(inner);  // a cast from a truth value, seen through by truth()
      return builder_.truth(as_int);
    }
  return builder_.truth(value(expr));
}

ir::ExprId FunctionLowering::cast_value(const clang::CastExpr* cast) {
  const clang::Expr* operand = cast->getSubExpr();
  switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
      return read(place(operand));
    case clang::CK_ArrayToPointerDecay:
      return builder_.cast(type(cast->getType()), address_of(place(operand)));
    case clang::CK_FunctionToPointerDecay: {
      const ir::ExprId function = address_of(place(operand));
      return builder_.cast(type(cast->getType()), function);
    }
    case clang::CK_BuiltinFnToFnPtr:
      unsupported("address of a builtin function");
    case clang::CK_NullToPointer:
      effect(operand);
      return builder_.constant(type(cast->getType()), 0);
    case clang::CK_ToVoid:
      effect(operand);
      return {};
    case clang::CK_ToUnion:
      unsupported("cast to a union");
    default:
      break;
  }
  if (!scalar(operand->getType()))
    unsupported("cast from '" + operand->getType().getAsString() + "'");
  return builder_.cast(type(cast->getType()), value(operand));
}

bool FunctionLowering::pure(const clang::Expr* expr) const {
  const clang::Expr* inner = expr->IgnoreParenImpCasts();
  if (llvm::isa<clang::IntegerLiteral>(inner) || llvm::isa<clang::CharacterLiteral>(inner))
    return true;
  if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(inner)) {
    if (llvm::isa<clang::EnumConstantDecl>(use->getDecl())) return true;
    const auto local = locals_.find(use->getDecl());
    return local != locals_.end() && local->second.reg.valid();
  }
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner))
    return !binary->isAssignmentOp() && !binary->isLogicalOp() &&
           binary->getOpcode() != clang::BO_Div && binary->getOpcode() != clang::BO_Rem &&
           binary->getOpcode() != clang::BO_Comma && pure(binary->getLHS()) &&
           pure(binary->getRHS());
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner))
    return (unary->getOpcode() == clang::UO_LNot || unary->getOpcode() == clang::UO_Minus ||
            unary->getOpcode() == clang::UO_Not) &&
           pure(unary->getSubExpr());
  return false;
}

ir::ExprId FunctionLowering::logical_value(const clang::Expr* expr) {
  const auto* binary = llvm::cast<clang::BinaryOperator>(expr);
  const ir::ExprId no = builder_.constant(builder_.bool_type(), 0);
  const ir::ExprId yes = builder_.constant(builder_.bool_type(), 1);
  if (pure(binary->getRHS())) {
    const ir::ExprId left = keep(condition(binary->getLHS()));
    const ir::ExprId right = condition(binary->getRHS());
    return binary->getOpcode() == clang::BO_LAnd ? builder_.select(left, right, no)
                                                 : builder_.select(left, yes, right);
  }
  const ir::RegId result = temporary(builder_.bool_type());
  const ir::LocId then = fresh(), otherwise = fresh(), after = fresh();
  branch(expr, then, otherwise);
  start(then);
  builder_.add_edge(here_, after, ir::Assign{result, yes}, source_);
  start(otherwise);
  builder_.add_edge(here_, after, ir::Assign{result, no}, source_);
  last_edge_ = {};
  start(after);
  return builder_.reg(result);
}

ir::ExprId FunctionLowering::conditional_value(const clang::Expr* condition,
                                               const clang::Expr* then,
                                               const clang::Expr* otherwise,
                                               clang::QualType result) {
  const bool is_void = result->isVoidType();
  if (!is_void && pure(then) && pure(otherwise)) {
    const ir::ExprId chosen = keep(this->condition(condition));
    const ir::ExprId first = builder_.cast(type(result), value(then));
    return builder_.select(chosen, first, builder_.cast(type(result), value(otherwise)));
  }
  const ir::RegId to = is_void ? ir::RegId{} : temporary(type(result));
  const ir::LocId then_at = fresh(), otherwise_at = fresh(), after = fresh();
  branch(condition, then_at, otherwise_at);
  for (const auto& [at, arm] : {std::pair{then_at, then}, std::pair{otherwise_at, otherwise}}) {
    start(at);
    if (is_void)
      effect(arm);
    else
      emit(ir::Assign{to, builder_.cast(type(result), value(arm))});
    jump(after);
  }
  start(after);
  return is_void ? ir::ExprId{} : builder_.reg(to);
}

ir::ExprId FunctionLowering::elvis_value(const clang::BinaryConditionalOperator* expr) {
  opaque_values_[expr->getOpaqueValue()] = keep(value(expr->getCommon()));
  return conditional_value(expr->getCond(), expr->getTrueExpr(), expr->getFalseExpr(),
                           expr->getType());
}

void FunctionLowering::guard_division(ir::ExprId divisor) {
  if (builder_.is_constant(divisor) && builder_.expr(divisor).payload != 0) return;
  const ir::LocId bad = fresh(), good = fresh();
  const ir::TypeId id = builder_.expr(divisor).type;
  branch_on(builder_.binary(ir::Op::eq, divisor, builder_.constant(id, 0)), bad, good);
  start(bad);
  emit(ir::Fail{ir::FailKind::division_by_zero, "division by zero"});
  emit(ir::Unsupported{"undefined: division by zero"});
  start(good);
}

ir::ExprId FunctionLowering::move_pointer(ir::ExprId pointer, clang::QualType pointer_type,
                                          ir::ExprId index) {
  const clang::QualType pointee = pointer_type->getPointeeType();
  const ir::ExprId wide = builder_.cast(index_type(), index);
  if (!pointee->isVariablyModifiedType()) return builder_.ptr_add(pointer, wide);
  const ir::ExprId bytes =
      builder_.binary(ir::Op::mul, wide, builder_.cast(index_type(), size_of_type(pointee)));
  return builder_.cast(builder_.expr(pointer).type,
                       builder_.ptr_add(builder_.cast(byte_pointer(), pointer), bytes));
}

ir::ExprId FunctionLowering::pointer_distance(ir::ExprId left, ir::ExprId right,
                                              clang::QualType pointer_type, ir::TypeId result) {
  if (pointer_type->getPointeeType()->isVariablyModifiedType())
    unsupported("difference of pointers to variable-length arrays");
  return builder_.ptr_diff(result, left, builder_.cast(builder_.expr(left).type, right));
}

ir::ExprId FunctionLowering::arithmetic(clang::BinaryOperatorKind op, ir::ExprId left,
                                        ir::ExprId right, clang::QualType left_type,
                                        clang::QualType right_type, ir::TypeId result) {
  const bool left_pointer = left_type->isPointerType(), right_pointer = right_type->isPointerType();
  const auto compare = [&](ir::Op which, ir::ExprId a, ir::ExprId b) {
    const ir::TypeId common = builder_.expr(a).type;
    return builder_.cast(result, builder_.binary(which, a, builder_.cast(common, b)));
  };
  const auto plain = [&](ir::Op which) {
    return builder_.binary(which, builder_.cast(result, left), builder_.cast(result, right));
  };
  switch (op) {
    case clang::BO_Add:
      if (left_pointer) return move_pointer(left, left_type, right);
      if (right_pointer) return move_pointer(right, right_type, left);
      return plain(ir::Op::add);
    case clang::BO_Sub:
      if (left_pointer && right_pointer) return pointer_distance(left, right, left_type, result);
      if (left_pointer)
        return move_pointer(left, left_type,
                            builder_.unary(ir::Op::neg, builder_.cast(index_type(), right)));
      return plain(ir::Op::sub);
    case clang::BO_Mul:
      return plain(ir::Op::mul);
    case clang::BO_Div:
    case clang::BO_Rem:
      if (builder_.type(result).kind == ir::TypeKind::integer)
        guard_division(builder_.cast(result, right));
      return plain(op == clang::BO_Div ? ir::Op::div : ir::Op::rem);
    case clang::BO_Shl:
      return builder_.binary(ir::Op::shl, left, right);
    case clang::BO_Shr:
      return builder_.binary(ir::Op::shr, left, right);
    case clang::BO_And:
      return plain(ir::Op::bit_and);
    case clang::BO_Or:
      return plain(ir::Op::bit_or);
    case clang::BO_Xor:
      return plain(ir::Op::bit_xor);
    case clang::BO_EQ:
      return compare(ir::Op::eq, left, right);
    case clang::BO_NE:
      return compare(ir::Op::ne, left, right);
    case clang::BO_LT:
      return compare(ir::Op::lt, left, right);
    case clang::BO_LE:
      return compare(ir::Op::le, left, right);
    case clang::BO_GT:
      return compare(ir::Op::lt, right, left);
    case clang::BO_GE:
      return compare(ir::Op::le, right, left);
    default:
      break;
  }
  unsupported("operator");
}

ir::ExprId FunctionLowering::binary_value(const clang::BinaryOperator* binary) {
  switch (binary->getOpcode()) {
    case clang::BO_Assign:
      return assign(binary);
    case clang::BO_Comma:
      effect(binary->getLHS());
      if (binary->getType()->isVoidType()) {
        effect(binary->getRHS());
        return {};
      }
      return value(binary->getRHS());
    case clang::BO_LAnd:
    case clang::BO_LOr:
      return builder_.cast(type(binary->getType()), logical_value(binary));
    default:
      break;
  }
  ir::ExprId left = value(binary->getLHS());
  // The right operand may contain an assignment to a register that the left one reads.
  if (!pure(binary->getRHS()) && binary->getRHS()->HasSideEffects(unit_.context()))
    left = keep(left);
  const ir::ExprId right = value(binary->getRHS());
  return arithmetic(binary->getOpcode(), left, right, binary->getLHS()->getType(),
                    binary->getRHS()->getType(), type(binary->getType()));
}

ir::ExprId FunctionLowering::unary_value(const clang::UnaryOperator* unary) {
  const ir::TypeId result = unary->getType()->isVoidType() ? ir::TypeId{} : type(unary->getType());
  switch (unary->getOpcode()) {
    case clang::UO_AddrOf:
      return builder_.cast(result, address_of(place(unary->getSubExpr())));
    case clang::UO_Plus:
    case clang::UO_Extension:
      return value(unary->getSubExpr());
    case clang::UO_Minus:
      return builder_.unary(ir::Op::neg, value(unary->getSubExpr()));
    case clang::UO_Not:
      return builder_.unary(ir::Op::bit_not, value(unary->getSubExpr()));
    case clang::UO_LNot:
      return builder_.cast(result, builder_.negation(value(unary->getSubExpr())));
    case clang::UO_PostInc:
    case clang::UO_PostDec:
    case clang::UO_PreInc:
    case clang::UO_PreDec:
      return step_value(unary);
    case clang::UO_Deref:
      return read(place(unary));
    default:
      break;
  }
  unsupported("operator " + clang::UnaryOperator::getOpcodeStr(unary->getOpcode()).str());
}

ir::ExprId FunctionLowering::statement_expression(const clang::StmtExpr* expr) {
  const clang::CompoundStmt* block = expr->getSubStmt();
  for (const clang::Stmt* child : block->body()) {
    const auto* last = llvm::dyn_cast<clang::Expr>(child);
    if (child != block->body_back() || last == nullptr || expr->getType()->isVoidType()) {
      statement(child);
      continue;
    }
    return value(last);
  }
  return {};
}

ir::ExprId FunctionLowering::size_of(const clang::UnaryExprOrTypeTraitExpr* trait) {
  if (const std::optional<ir::ExprId> constant = constant_value(trait)) return *constant;
  if (trait->getKind() != clang::UETT_SizeOf) unsupported("this type trait");
  if (trait->isArgumentType()) note_sizes(trait->getArgumentType());
  return builder_.cast(type(trait->getType()), size_of_type(trait->getTypeOfArgument()));
}

ir::ExprId FunctionLowering::size_of_type(clang::QualType qualified) {
  const auto* array = unit_.context().getAsArrayType(qualified);
  if (const auto* variable = llvm::dyn_cast_or_null<clang::VariableArrayType>(array)) {
    const auto known = array_sizes_.find(variable);
    if (known == array_sizes_.end()) unsupported("a variable-length array type used here");
    return builder_.binary(ir::Op::mul, builder_.cast(builder_.size_type(), known->second),
                           size_of_type(variable->getElementType()));
  }
  if (array != nullptr && qualified->isVariablyModifiedType()) {
    const auto* constant = llvm::dyn_cast<clang::ConstantArrayType>(array);
    if (constant == nullptr) unsupported("an incomplete array type used here");
    return builder_.binary(
        ir::Op::mul, builder_.constant(builder_.size_type(), constant->getSize().getZExtValue()),
        size_of_type(array->getElementType()));
  }
  return builder_.constant(
      builder_.size_type(),
      static_cast<std::uint64_t>(unit_.context().getTypeSizeInChars(qualified).getQuantity()));
}

}  // namespace heddle::frontend
