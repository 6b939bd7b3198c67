#include <fmt/format.h>

#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {
namespace {

constexpr std::uint64_t most_inline_leaves = 64;  // larger copies run the library's memcpy

}  // namespace

Place FunctionLowering::memory_place(ir::ExprId address, clang::QualType qualified) {
  const ir::TypeId stored = type(qualified);
  return {.address = builder_.cast(builder_.pointer_to(stored), address),
          .type = stored,
          .order = qualified->isAtomicType() ? ir::MemoryOrder::seq_cst : ir::MemoryOrder::plain};
}

Place FunctionLowering::variable_place(const clang::VarDecl* variable) {
  const auto local = locals_.find(variable);
  if (local != locals_.end()) return local->second;
  if (!variable->hasGlobalStorage())
    unsupported("variable '" + variable->getNameAsString() + "' used before its declaration");
  return memory_place(builder_.global_address(linker_.global(variable, unit_)),
                      variable->getType());
}

Place FunctionLowering::place(const clang::Expr* expr) {
  const clang::Expr* inner = expr->IgnoreParens();
  using clang::Stmt;
  switch (inner->getStmtClass()) {
    case Stmt::DeclRefExprClass: {
      const clang::ValueDecl* declaration = llvm::cast<clang::DeclRefExpr>(inner)->getDecl();
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
        return variable_place(variable);
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        const std::optional<ir::FunId> known = linker_.function(function, unit_);
        const ir::FunId id = known ? *known : linker_.unknown_function(function, unit_);
        return {.address = builder_.function_address(id), .type = type(function->getType())};
      }
      if (llvm::isa<clang::EnumConstantDecl>(declaration)) break;
      unsupported("this kind of name");
    }
    case Stmt::UnaryOperatorClass: {
      const auto* unary = llvm::cast<clang::UnaryOperator>(inner);
      if (unary->getOpcode() == clang::UO_Deref)
        return memory_place(value(unary->getSubExpr()), inner->getType());
      if (unary->getOpcode() == clang::UO_Extension) return place(unary->getSubExpr());
      break;
    }
    case Stmt::ArraySubscriptExprClass: {
      const auto* subscript = llvm::cast<clang::ArraySubscriptExpr>(inner);
      const ir::ExprId base = value(subscript->getBase());
      const ir::ExprId index = value(subscript->getIdx());
      return memory_place(move_pointer(base, subscript->getBase()->getType(), index),
                          inner->getType());
    }
    case Stmt::MemberExprClass:
      return member_place(llvm::cast<clang::MemberExpr>(inner));
    case Stmt::StringLiteralClass:
      return memory_place(builder_.global_address(linker_.string_literal(
                              llvm::cast<clang::StringLiteral>(inner), unit_)),
                          inner->getType());
    case Stmt::PredefinedExprClass:
      return place(llvm::cast<clang::PredefinedExpr>(inner)->getFunctionName());
    case Stmt::GenericSelectionExprClass:
      return place(llvm::cast<clang::GenericSelectionExpr>(inner)->getResultExpr());
    case Stmt::ChooseExprClass:
      return place(llvm::cast<clang::ChooseExpr>(inner)->getChosenSubExpr());
    case Stmt::CompoundLiteralExprClass: {
      const auto* literal = llvm::cast<clang::CompoundLiteralExpr>(inner);
      if (literal->isFileScope())
        return memory_place(builder_.global_address(linker_.literal_object(literal, unit_)),
                            inner->getType());
      const ir::ExprId address =
          allocate_local("literal", type(inner->getType()), ir::Contents::zero);
      initialize(address, inner->getType(), literal->getInitializer());
      return memory_place(address, inner->getType());
    }
    case Stmt::OpaqueValueExprClass:
      break;
    case Stmt::ImplicitCastExprClass:
    case Stmt::CStyleCastExprClass: {
      const auto* cast = llvm::cast<clang::CastExpr>(inner);
      if (cast->getCastKind() == clang::CK_NoOp || cast->getCastKind() == clang::CK_LValueBitCast)
        return memory_place(address_of(place(cast->getSubExpr())), inner->getType());
      break;
    }
    default:
      break;
  }
  // A record or array value used as a place: f().member, (c ? a : b).member.
  if (!inner->getType()->isVoidType() && !scalar(inner->getType()))
    return memory_place(aggregate(inner), inner->getType());
  unsupported(std::string("lvalue ") + inner->getStmtClassName());
}

Place FunctionLowering::member_place(const clang::MemberExpr* member) {
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (field == nullptr) unsupported("this kind of member");
  const ir::ExprId record =
      member->isArrow() ? value(member->getBase()) : address_of(place(member->getBase()));
  const std::uint32_t index = unit_.field_index(field);
  const ir::TypeId owner = type(unit_.context().getRecordType(field->getParent()));
  const ir::ExprId address =
      builder_.field(builder_.cast(builder_.pointer_to(owner), record), index);
  const ir::Field& lowered = builder_.type(owner).fields[index];
  if (!field->isBitField()) return memory_place(address, field->getType());
  if (lowered.bits.whole()) unsupported("a packed bit-field that straddles its storage unit");
  return {.address = address, .bits = lowered.bits, .type = type(field->getType())};
}

ir::ExprId FunctionLowering::address_of(const Place& place) const {
  CHECK(!place.reg.valid() && place.bits.whole(), "registers and bit-fields have no address in C");
  return place.address;
}

ir::ExprId FunctionLowering::read(const Place& place) {
  if (place.reg.valid()) return builder_.reg(place.reg);
  const ir::TypeId stored = builder_.type_of(place.address).element;
  if (!builder_.type(stored).scalar()) unsupported("reading a value of this type");
  const ir::RegId to = temporary(stored);
  emit(ir::Load{to, place.address, place.order, place.bits});
  return builder_.cast(place.type, builder_.reg(to));
}

void FunctionLowering::write(const Place& place, ir::ExprId value) {
  if (place.reg.valid()) return emit(ir::Assign{place.reg, builder_.cast(place.type, value)});
  const ir::TypeId stored = builder_.type_of(place.address).element;
  if (!builder_.type(stored).scalar()) unsupported("writing a value of this type");
  const ir::ExprId converted = builder_.cast(stored, builder_.cast(place.type, value));
  emit(ir::Store{place.address, converted, place.order, place.bits});
}

ir::ExprId FunctionLowering::aggregate(const clang::Expr* expr) {
  const clang::Expr* inner = expr->IgnoreParens();
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(inner)) {
    switch (cast->getCastKind()) {
      case clang::CK_LValueToRValue:
      case clang::CK_NoOp:
      case clang::CK_AtomicToNonAtomic:
      case clang::CK_NonAtomicToAtomic:
        return aggregate(cast->getSubExpr());
      default:
        unsupported("cast of a record");
    }
  }
  if (const auto* call = llvm::dyn_cast<clang::CallExpr>(inner)) return this->call(call);
  if (const auto* atomic = llvm::dyn_cast<clang::AtomicExpr>(inner)) return this->atomic(atomic);
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner)) {
    if (binary->getOpcode() == clang::BO_Comma) {
      effect(binary->getLHS());
      return aggregate(binary->getRHS());
    }
    if (binary->getOpcode() == clang::BO_Assign) {
      const ir::ExprId from = aggregate(binary->getRHS());
      const ir::ExprId to = address_of(place(binary->getLHS()));
      copy(to, from, type(binary->getType()));
      return to;
    }
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(inner)) {
    const ir::RegId chosen = temporary(builder_.pointer_to(type(inner->getType())));
    const ir::LocId then = fresh(), otherwise = fresh(), after = fresh();
    branch(choice->getCond(), then, otherwise);
    for (const auto& [at, arm] :
         {std::pair{then, choice->getTrueExpr()}, std::pair{otherwise, choice->getFalseExpr()}}) {
      start(at);
      emit(ir::Assign{chosen,
                      builder_.cast(builder_.pointer_to(type(inner->getType())), aggregate(arm))});
      jump(after);
    }
    start(after);
    return builder_.reg(chosen);
  }
  if (const auto* block = llvm::dyn_cast<clang::StmtExpr>(inner)) {
    for (const clang::Stmt* child : block->getSubStmt()->body()) {
      const auto* last = llvm::dyn_cast<clang::Expr>(child);
      if (child == block->getSubStmt()->body_back() && last != nullptr) return aggregate(last);
      statement(child);
    }
  }
  if (llvm::isa<clang::InitListExpr>(inner)) {
    const ir::ExprId address =
        allocate_local("literal", type(inner->getType()), ir::Contents::zero);
    initialize(address, inner->getType(), inner);
    return address;
  }
  if (inner->isLValue()) return address_of(place(inner));
  unsupported(std::string("record expression ") + inner->getStmtClassName());
}

std::uint64_t FunctionLowering::leaf_count(ir::TypeId id) const {
  const ir::Type& type = builder_.type(id);
  if (type.scalar()) return 1;
  if (type.kind == ir::TypeKind::array) return type.count * leaf_count(type.element);
  if (type.record == ir::RecordKind::union_record) return (type.size + 7) / 8;
  std::uint64_t count = 0;
  for (const ir::Field& field : type.fields) count += leaf_count(field.type);
  return count;
}

// One step a scalar member: a struct copy is not atomic.
void FunctionLowering::copy(ir::ExprId to, ir::ExprId from, ir::TypeId id) {
  if (to == from) return;
  const ir::TypeId pointer = builder_.pointer_to(id);
  to = builder_.cast(pointer, to);
  from = builder_.cast(pointer, from);
  if (!builder_.type(id).complete) unsupported("copy of an incomplete type");
  if (leaf_count(id) <= most_inline_leaves) return copy_leaves(to, from, id);
  const ir::TypeId raw = builder_.pointer_to(builder_.void_type());
  call_by_name("memcpy", {builder_.cast(raw, to), builder_.cast(raw, from),
                          builder_.constant(builder_.size_type(), builder_.type(id).size)});
}

ir::ExprId FunctionLowering::element(ir::ExprId array_address, std::uint64_t index) {
  const ir::TypeId element = builder_.type(builder_.type_of(array_address).element).element;
  return builder_.ptr_add(builder_.cast(builder_.pointer_to(element), array_address),
                          builder_.constant(index_type(), index));
}

void FunctionLowering::copy_leaves(ir::ExprId to, ir::ExprId from, ir::TypeId id) {
  const ir::Type type = builder_.type(id);
  if (type.scalar()) {
    const ir::RegId word = temporary(id);
    emit(ir::Load{word, from});
    return emit(ir::Store{to, builder_.reg(word)});
  }
  if (type.kind == ir::TypeKind::array) {
    for (std::uint64_t i = 0; i < type.count; ++i)
      copy_leaves(element(to, i), element(from, i), type.element);
    return;
  }
  if (type.record == ir::RecordKind::union_record) {  // no member is known to be the live one
    for (std::uint64_t at = 0; at < type.size;) {
      std::uint32_t bytes = 8;
      while (at + bytes > type.size || at % std::min<std::uint64_t>(bytes, type.align) != 0)
        bytes /= 2;
      const ir::TypeId word = builder_.int_type(bytes * 8, false);
      const auto part = [&](ir::ExprId base) {
        return builder_.cast(builder_.pointer_to(word),
                             builder_.ptr_add(builder_.cast(byte_pointer(), base),
                                              builder_.constant(index_type(), at)));
      };
      copy_leaves(part(to), part(from), word);
      at += bytes;
    }
    return;
  }
  std::uint64_t unit_copied = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < type.fields.size(); ++i) {
    const ir::Field& field = type.fields[i];
    // Bit-fields of one storage unit travel together.
    if (!field.bits.whole() && field.offset == unit_copied) continue;
    if (!field.bits.whole()) unit_copied = field.offset;
    if (!builder_.type(field.type).complete) continue;  // a flexible array member is not copied
    copy_leaves(builder_.field(to, i), builder_.field(from, i), field.type);
  }
}

}  // namespace heddle::frontend
