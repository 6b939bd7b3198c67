#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {

void FunctionLowering::allocate_at(ir::RegId address, const std::string& name, ir::ExprId size,
                                   ir::Contents contents) {
  emit(ir::Alloc{address, size, ir::AllocKind::stack, contents, name});
}

ir::ExprId FunctionLowering::allocate_local(const std::string& name, ir::TypeId id,
                                            ir::Contents contents) {
  const ir::RegId address = temporary(builder_.pointer_to(id));
  allocate_at(address, name, builder_.constant(builder_.size_type(), builder_.type(id).size),
              contents);
  return builder_.reg(address);
}

void FunctionLowering::declare(const clang::VarDecl* variable) {
  if (variable->hasGlobalStorage()) return;  // static or extern: a global, lowered at its first use
  const clang::QualType qualified = variable->getType();
  note_sizes(qualified);
  if (qualified->isVariableArrayType()) {
    locals_[variable] = memory_place(variable_array(variable), qualified);
    return;
  }
  const clang::Expr* init = variable->getInit();
  if (init != nullptr && scalar(qualified)) {
    const Place target = make_local(variable, ir::Contents::unset);  // `int x = x;` reads the new x
    return write(target, value(init));
  }
  const bool zero = init != nullptr && llvm::isa<clang::InitListExpr>(init->IgnoreParens());
  const Place target = make_local(variable, zero ? ir::Contents::zero : ir::Contents::unset);
  if (init != nullptr) initialize(target.address, qualified, init);
}

// Gives the variable its register or memory. Executed again, it starts a new life.
Place FunctionLowering::make_local(const clang::VarDecl* variable, ir::Contents contents) {
  const clang::QualType qualified = variable->getType();
  const std::string name = variable->getNameAsString();
  const auto known = locals_.find(variable);
  if (scalar(qualified) && !addressed_.contains(variable)) {
    const ir::RegId reg = known != locals_.end()
                              ? known->second.reg
                              : builder_.add_register(id_, name, type(qualified));
    emit(ir::Havoc{reg});
    return locals_[variable] = {.reg = reg, .type = type(qualified)};
  }
  const ir::RegId address = known != locals_.end()
                                ? address_registers_.at(variable)
                                : temporary(builder_.pointer_to(type(qualified)));
  const ir::ExprId size =
      builder_.constant(builder_.size_type(), builder_.type(type(qualified)).size);
  allocate_at(address, name, size, contents);
  address_registers_[variable] = address;
  return locals_[variable] = memory_place(builder_.reg(address), qualified);
}

// Array bounds are evaluated where the declaration stands, and kept.
void FunctionLowering::note_sizes(clang::QualType qualified) {
  if (!qualified->isVariablyModifiedType()) return;
  if (const auto* pointer = qualified->getAs<clang::PointerType>())
    return note_sizes(pointer->getPointeeType());
  const auto* array = unit_.context().getAsArrayType(qualified);
  if (array == nullptr) return;
  note_sizes(array->getElementType());
  const auto* variable = llvm::dyn_cast<clang::VariableArrayType>(array);
  if (variable == nullptr || variable->getSizeExpr() == nullptr) return;
  array_sizes_[variable] = keep(builder_.cast(index_type(), value(variable->getSizeExpr())));
}

ir::ExprId FunctionLowering::variable_array(const clang::VarDecl* variable) {
  const clang::QualType qualified = variable->getType();
  const clang::QualType element = unit_.context().getBaseElementType(qualified);
  const ir::RegId address = temporary(builder_.pointer_to(type(element)));
  allocate_at(address, variable->getNameAsString(), size_of_type(qualified), ir::Contents::unset);
  return builder_.reg(address);
}

void FunctionLowering::initialize(ir::ExprId address, clang::QualType qualified,
                                  const clang::Expr* init) {
  const clang::Expr* inner = init->IgnoreParens();
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(inner)) {
    if (list->isTransparent()) return initialize(address, qualified, list->getInit(0));
    if (!scalar(qualified)) return initialize_list(address, qualified, list);
  }
  if (llvm::isa<clang::ImplicitValueInitExpr>(inner)) return;  // already zero
  if (llvm::isa<clang::NoInitExpr>(inner)) return;
  if (scalar(qualified)) return write(memory_place(address, qualified), value(init));
  if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(inner))
    return initialize_string(address, literal, type(qualified));
  if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(inner);
      literal != nullptr && qualified->isArrayType())
    return initialize(address, qualified, literal->getInitializer());
  copy(address, aggregate(init), type(qualified));
}

// The object was allocated zeroed, so only what the list gives is stored.
void FunctionLowering::initialize_list(ir::ExprId address, clang::QualType qualified,
                                       const clang::InitListExpr* list) {
  const auto is_zero = [](const clang::Expr* init) {
    return llvm::isa<clang::ImplicitValueInitExpr>(init);
  };
  if (const auto* array = unit_.context().getAsConstantArrayType(qualified)) {
    if (list->isStringLiteralInit()) return initialize(address, qualified, list->getInit(0));
    const ir::ExprId start_address = builder_.cast(builder_.pointer_to(type(qualified)), address);
    const std::uint64_t given = list->getNumInits();
    for (std::uint64_t i = 0; i < given; ++i)
      initialize(element(start_address, i), array->getElementType(),
                 list->getInit(static_cast<unsigned>(i)));
    const clang::Expr* filler = list->getArrayFiller();
    if (filler == nullptr || is_zero(filler)) return;
    for (std::uint64_t i = given; i < array->getSize().getZExtValue(); ++i)
      initialize(element(start_address, i), array->getElementType(), filler);
    return;
  }
  const auto* record = qualified->getAs<clang::RecordType>();
  if (record == nullptr) unsupported("initialiser of this type");
  const ir::TypeId owner = type(qualified);
  const ir::ExprId base = builder_.cast(builder_.pointer_to(owner), address);
  const auto store_field = [&](const clang::FieldDecl* field, const clang::Expr* init) {
    if (is_zero(init) || llvm::isa<clang::NoInitExpr>(init)) return;
    const std::uint32_t index = unit_.field_index(field);
    const ir::BitRange bits = builder_.type(owner).fields[index].bits;
    if (bits.whole()) return initialize(builder_.field(base, index), field->getType(), init);
    write({.address = builder_.field(base, index), .bits = bits, .type = type(field->getType())},
          value(init));
  };
  if (record->getDecl()->isUnion()) {
    if (list->getInitializedFieldInUnion() != nullptr && list->getNumInits() > 0)
      store_field(list->getInitializedFieldInUnion(), list->getInit(0));
    return;
  }
  unsigned next = 0;
  for (const clang::FieldDecl* field : record->getDecl()->getDefinition()->fields()) {
    if (field->isUnnamedBitField()) continue;
    if (next >= list->getNumInits()) break;
    store_field(field, list->getInit(next++));
  }
}

void FunctionLowering::initialize_string(ir::ExprId address, const clang::StringLiteral* literal,
                                         ir::TypeId array) {
  const ir::Type type = builder_.type(array);
  const ir::ExprId base = builder_.cast(builder_.pointer_to(array), address);
  for (std::uint64_t i = 0; i < type.count; ++i) {
    const std::uint32_t unit_value = i < literal->getLength() ? literal->getCodeUnit(i) : 0;
    emit(ir::Store{element(base, i), builder_.constant(type.element, unit_value)});
  }
}

}  // namespace heddle::frontend
