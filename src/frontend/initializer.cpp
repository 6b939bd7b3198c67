#include "frontend/initializer.hpp"

#include <clang/AST/APValue.h>
#include <fmt/format.h>

#include "frontend/frontend.hpp"

namespace heddle::frontend {
namespace {

std::uint64_t bits_of(const llvm::APFloat& value) { return value.bitcastToAPInt().getZExtValue(); }

class Lowering {
 public:
  Lowering(Unit& unit, Linker& linker, ir::ProgramBuilder& builder, base::SourceRange source)
      : unit_(unit), linker_(linker), builder_(builder), source_(source) {}

  void lower(const clang::APValue& value, clang::QualType type, std::uint64_t offset,
             ir::BitRange bits = {}, ir::TypeId storage = {}) {
    if (const auto* atomic = type->getAs<clang::AtomicType>()) type = atomic->getValueType();
    switch (value.getKind()) {
      case clang::APValue::None:
      case clang::APValue::Indeterminate:
        return;  // stays zero
      case clang::APValue::Int:
        if (value.getInt().isZero()) return;
        if (value.getInt().getBitWidth() > 64) return reject("a constant of more than 64 bits");
        return add(offset, value.getInt().extOrTrunc(64).getZExtValue(), type, bits, storage);
      case clang::APValue::Float:
        if (!builder_.type(unit_.type(type)).scalar()) return reject("a long double constant");
        if (bits_of(value.getFloat()) == 0) return;
        return add(offset, bits_of(value.getFloat()), type, bits, storage);
      case clang::APValue::LValue:
        return lower_pointer(value, type, offset);
      case clang::APValue::Array:
        return lower_array(value, type, offset);
      case clang::APValue::Struct:
        return lower_struct(value, type, offset);
      case clang::APValue::Union:
        return lower_union(value, type, offset);
      default:
        return reject("this kind of constant");
    }
  }

  std::vector<ir::Initializer> take() { return std::move(initializers_); }

 private:
  void reject(const char* what) {
    throw InputError(fmt::format("{}:{}:{}: error: {} in a static initialiser is not supported",
                                 builder_.view().file(source_.file).name, source_.line,
                                 source_.column, what));
  }

  void add(std::uint64_t offset, std::uint64_t value, clang::QualType type, ir::BitRange bits,
           ir::TypeId storage) {
    const ir::TypeId stored = storage.valid() ? storage : unit_.type(type);
    initializers_.push_back({offset, builder_.constant(stored, value), bits});
  }

  void lower_array(const clang::APValue& value, clang::QualType type, std::uint64_t offset) {
    const clang::QualType element = unit_.context().getAsArrayType(type)->getElementType();
    const auto stride =
        static_cast<std::uint64_t>(unit_.context().getTypeSizeInChars(element).getQuantity());
    const unsigned given = value.getArrayInitializedElts();
    for (unsigned i = 0; i < value.getArraySize(); ++i) {
      if (i >= given && !value.hasArrayFiller()) break;
      const std::size_t before = initializers_.size();
      lower(i < given ? value.getArrayInitializedElt(i) : value.getArrayFiller(), element,
            offset + i * stride);
      if (i >= given && initializers_.size() == before) break;  // the filler is zero
    }
  }

  void lower_field(const clang::FieldDecl* field, const clang::APValue& value,
                   const ir::Type& record, std::uint64_t offset) {
    const ir::Field& lowered = record.fields[unit_.field_index(field)];
    const ir::BitRange bits = lowered.bits;
    const std::uint64_t at = offset + lowered.offset;
    lower(value, field->getType(), at, bits, bits.whole() ? ir::TypeId{} : lowered.type);
  }

  void lower_struct(const clang::APValue& value, clang::QualType type, std::uint64_t offset) {
    const ir::Type record = builder_.type(unit_.type(type));
    unsigned index = 0;
    for (const clang::FieldDecl* field :
         type->getAs<clang::RecordType>()->getDecl()->getDefinition()->fields())
      lower_field(field, value.getStructField(index++), record, offset);
  }

  void lower_union(const clang::APValue& value, clang::QualType type, std::uint64_t offset) {
    if (value.getUnionField() == nullptr) return;
    const ir::Type record = builder_.type(unit_.type(type));
    lower_field(value.getUnionField(), value.getUnionValue(), record, offset);
  }

  void lower_pointer(const clang::APValue& value, clang::QualType type, std::uint64_t offset) {
    const ir::TypeId target = unit_.type(type);
    const auto distance = static_cast<std::uint64_t>(value.getLValueOffset().getQuantity());
    if (value.getLValueBase().isNull()) {
      if (distance != 0) initializers_.push_back({offset, builder_.constant(target, distance), {}});
      return;
    }
    ir::ExprId address = base_address(value.getLValueBase());
    if (distance != 0) {
      const ir::TypeId byte_pointer = builder_.pointer_to(builder_.int_type(8, true));
      const ir::TypeId index = builder_.int_type(builder_.type(byte_pointer).width, true);
      address = builder_.ptr_add(builder_.cast(byte_pointer, address),
                                 builder_.constant(index, distance));
    }
    initializers_.push_back({offset, builder_.cast(target, address), {}});
  }

  ir::ExprId base_address(const clang::APValue::LValueBase& base) {
    if (const auto* declaration = base.dyn_cast<const clang::ValueDecl*>()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
        return builder_.global_address(linker_.global(variable, unit_));
      if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
        const std::optional<ir::FunId> known = linker_.function(function, unit_);
        return builder_.function_address(known ? *known
                                               : linker_.unknown_function(function, unit_));
      }
    }
    if (const auto* expr = base.dyn_cast<const clang::Expr*>()) {
      const clang::Expr* stripped = expr->IgnoreParens();
      if (const auto* predefined = llvm::dyn_cast<clang::PredefinedExpr>(stripped))
        stripped = predefined->getFunctionName();
      if (const auto* literal = llvm::dyn_cast<clang::StringLiteral>(stripped))
        return builder_.global_address(linker_.string_literal(literal, unit_));
      if (const auto* literal = llvm::dyn_cast<clang::CompoundLiteralExpr>(stripped))
        return builder_.global_address(linker_.literal_object(literal, unit_));
    }
    reject("an address of this kind");
    return {};
  }

  Unit& unit_;
  Linker& linker_;
  ir::ProgramBuilder& builder_;
  base::SourceRange source_;
  std::vector<ir::Initializer> initializers_;
};

}  // namespace

std::vector<ir::Initializer> lower_initializer(const clang::VarDecl& variable, Unit& unit,
                                               Linker& linker, ir::ProgramBuilder& builder) {
  const base::SourceRange source = unit.range(variable.getSourceRange());
  Lowering lowering(unit, linker, builder, source);
  const clang::APValue* value = variable.evaluateValue();
  if (value == nullptr)
    throw InputError(fmt::format("{}:{}:{}: error: the initialiser of '{}' is not a constant",
                                 builder.view().file(source.file).name, source.line, source.column,
                                 variable.getNameAsString()));
  lowering.lower(*value, variable.getType(), 0);
  return lowering.take();
}

std::vector<ir::Initializer> lower_initializer(const clang::CompoundLiteralExpr& literal,
                                               Unit& unit, Linker& linker,
                                               ir::ProgramBuilder& builder) {
  const base::SourceRange source = unit.range(literal.getSourceRange());
  Lowering lowering(unit, linker, builder, source);
  clang::Expr::EvalResult result;
  if (!literal.getInitializer()->EvaluateAsRValue(result, unit.context()))
    throw InputError(fmt::format("{}:{}:{}: error: the initialiser of a literal is not a constant",
                                 builder.view().file(source.file).name, source.line,
                                 source.column));
  lowering.lower(result.Val, literal.getType(), 0);
  return lowering.take();
}

}  // namespace heddle::frontend
