#include "frontend/unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace heddle::frontend {
namespace {

// C11 6.7.2.1: adjacent bit-fields form one memory location. The storage unit of a
// bit-field is the smallest integer that covers its run, if one of 8 bytes does.
struct BitFieldRun {
  std::uint64_t first_bit = 0, end_bit = 0;
};

struct StorageUnit {
  std::uint64_t byte = 0, size = 0;
};

StorageUnit storage_unit(std::uint64_t first_bit, std::uint64_t end_bit,
                         std::uint64_t record_size) {
  for (const std::uint64_t size : {1, 2, 4, 8}) {
    const std::uint64_t byte = first_bit / (size * 8) * size;
    if (end_bit <= (byte + size) * 8 && byte + size <= record_size) return {byte, size};
  }
  return {};
}

}  // namespace

Unit::Unit(std::unique_ptr<clang::ASTUnit> ast, ir::Origin origin, ir::ProgramBuilder& builder)
    : ast_(std::move(ast)), origin_(origin), builder_(builder) {}

base::FileId Unit::file(clang::FileID id) {
  const auto [at, fresh] = files_.emplace(id, base::FileId{});
  if (fresh) {
    const clang::SourceManager& sources = context().getSourceManager();
    const auto name = sources.getFilename(sources.getLocForStartOfFile(id));
    at->second = builder_.add_file({name.str(), sources.getBufferData(id).str()});
  }
  return at->second;
}

base::SourceRange Unit::range(clang::SourceRange range) {
  if (range.isInvalid()) return {};
  const clang::SourceManager& sources = context().getSourceManager();
  const clang::SourceLocation begin = sources.getExpansionLoc(range.getBegin());
  const clang::SourceLocation end = sources.getExpansionRange(range.getEnd()).getEnd();
  const auto [begin_file, begin_offset] = sources.getDecomposedLoc(begin);
  if (begin_file.isInvalid()) return {};
  // Clang finds a column by walking back to the start of the line, which lines of megabytes make
  // slow; its table of line starts is filled once a line number was asked for.
  const auto column = [&](clang::FileID in, unsigned offset, unsigned line) {
    return offset - sources.getSLocEntry(in).getFile().getContentCache().SourceLineCache[line - 1] +
           1;
  };
  base::SourceRange result;
  result.file = file(begin_file);
  result.line = sources.getLineNumber(begin_file, begin_offset);
  result.column = column(begin_file, begin_offset, result.line);
  const auto [end_file, end_offset] = sources.getDecomposedLoc(end);
  if (end_file == begin_file) {
    result.end_line = sources.getLineNumber(end_file, end_offset);
    result.end_column = column(end_file, end_offset, result.end_line);
  }
  return result;
}

ir::TypeId Unit::type(clang::QualType type) {
  const clang::QualType canonical = type.getCanonicalType().getUnqualifiedType();
  const auto known = types_.find(canonical.getTypePtr());
  if (known != types_.end()) return known->second;
  const ir::TypeId id = lower(canonical);
  types_.emplace(canonical.getTypePtr(), id);
  return id;
}

std::uint32_t Unit::field_index(const clang::FieldDecl* field) {
  const clang::FieldDecl* canonical = field->getCanonicalDecl();
  type(context().getRecordType(canonical->getParent()));
  return fields_.at(canonical);
}

ir::TypeId Unit::lower(clang::QualType canonical) {
  const clang::Type* type = canonical.getTypePtr();
  if (const auto* builtin = llvm::dyn_cast<clang::BuiltinType>(type)) return lower_builtin(builtin);
  if (const auto* pointer = llvm::dyn_cast<clang::PointerType>(type))
    return builder_.pointer_to(this->type(pointer->getPointeeType()));
  if (const auto* array = llvm::dyn_cast<clang::ConstantArrayType>(type))
    return builder_.array_of(this->type(array->getElementType()), array->getSize().getZExtValue());
  if (const auto* array = llvm::dyn_cast<clang::ArrayType>(type))
    return builder_.incomplete_array_of(this->type(array->getElementType()));
  if (const auto* function = llvm::dyn_cast<clang::FunctionType>(type))
    return lower_function(function);
  if (const auto* record = llvm::dyn_cast<clang::RecordType>(type)) return lower_record(record);
  if (const auto* enumeration = llvm::dyn_cast<clang::EnumType>(type)) {
    const clang::QualType integer = enumeration->getDecl()->getIntegerType();
    return integer.isNull() ? builder_.int_type(32, false) : this->type(integer);
  }
  if (const auto* atomic = llvm::dyn_cast<clang::AtomicType>(type))
    return this->type(atomic->getValueType());
  return opaque(canonical);
}

// long double, __int128, complex and vector types have a size and nothing more.
ir::TypeId Unit::opaque(clang::QualType type) {
  if (type->isIncompleteType()) return builder_.void_type();
  const auto bytes = static_cast<std::uint64_t>(context().getTypeSizeInChars(type).getQuantity());
  return builder_.array_of(builder_.int_type(8, false), bytes);
}

ir::TypeId Unit::lower_builtin(const clang::BuiltinType* type) {
  if (type->getKind() == clang::BuiltinType::Void) return builder_.void_type();
  if (type->getKind() == clang::BuiltinType::Bool) return builder_.bool_type();
  if (type->getKind() == clang::BuiltinType::NullPtr)
    return builder_.pointer_to(builder_.void_type());
  const clang::QualType as_type(type, 0);
  const auto width = static_cast<std::uint32_t>(context().getTypeSize(as_type));
  if (type->isInteger() && width <= 64) return builder_.int_type(width, type->isSignedInteger());
  if (type->getKind() == clang::BuiltinType::Float || type->getKind() == clang::BuiltinType::Double)
    return builder_.float_type(width);
  return opaque(as_type);
}

ir::TypeId Unit::lower_function(const clang::FunctionType* type) {
  const ir::TypeId result = this->type(type->getReturnType());
  std::vector<ir::TypeId> parameters;
  const bool by_address =
      !builder_.type(result).scalar() && builder_.type(result).kind != ir::TypeKind::void_type;
  if (by_address) parameters.push_back(builder_.pointer_to(result));
  const auto* prototype = llvm::dyn_cast<clang::FunctionProtoType>(type);
  if (prototype != nullptr)
    for (const clang::QualType parameter : prototype->getParamTypes()) {
      const ir::TypeId id = this->type(parameter);
      parameters.push_back(builder_.type(id).scalar() ? id : builder_.pointer_to(id));
    }
  return builder_.function_type(by_address ? builder_.void_type() : result, std::move(parameters),
                                prototype == nullptr || prototype->isVariadic());
}

ir::TypeId Unit::lower_record(const clang::RecordType* type) {
  const clang::RecordDecl* declaration = type->getDecl();
  std::string name = declaration->getNameAsString();
  if (name.empty() && declaration->getTypedefNameForAnonDecl() != nullptr)
    name = declaration->getTypedefNameForAnonDecl()->getNameAsString();
  if (name.empty()) name = "anon";
  const ir::TypeId id = builder_.declare_record(
      declaration->isUnion() ? ir::RecordKind::union_record : ir::RecordKind::struct_record, name);
  types_.emplace(type, id);  // before the fields: a record may point to itself
  const clang::RecordDecl* definition = declaration->getDefinition();
  if (definition == nullptr || definition->isInvalidDecl()) return id;
  std::vector<ir::Field> fields = lower_fields(definition);
  const clang::ASTRecordLayout& layout = context().getASTRecordLayout(definition);
  builder_.complete_record(id, std::move(fields),
                           static_cast<std::uint64_t>(layout.getSize().getQuantity()),
                           static_cast<std::uint32_t>(layout.getAlignment().getQuantity()));
  return id;
}

std::vector<ir::Field> Unit::lower_fields(const clang::RecordDecl* record) {
  const clang::ASTRecordLayout& layout = context().getASTRecordLayout(record);
  const auto record_size = static_cast<std::uint64_t>(layout.getSize().getQuantity());
  std::vector<const clang::FieldDecl*> declarations(record->field_begin(), record->field_end());
  std::vector<ir::Field> fields;
  BitFieldRun run;
  const auto width_of = [this](const clang::FieldDecl* field) -> std::uint64_t {
    return field->isBitField() ? field->getBitWidthValue(context()) : 0;
  };
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    const clang::FieldDecl* declaration = declarations[i];
    fields_.emplace(declaration->getCanonicalDecl(), static_cast<std::uint32_t>(fields.size()));
    const std::uint64_t bit = layout.getFieldOffset(static_cast<unsigned>(i));
    const std::uint64_t width = width_of(declaration);
    ir::Field field{declaration->getNameAsString(), type(declaration->getType()), bit / 8, {}};
    if (width != 0) {
      if (bit < run.first_bit || bit >= run.end_bit || run.end_bit == 0) {
        run = {bit, bit + width};
        for (std::size_t next = i + 1;
             next < declarations.size() && width_of(declarations[next]) != 0 && !record->isUnion();
             ++next)
          run.end_bit =
              layout.getFieldOffset(static_cast<unsigned>(next)) + width_of(declarations[next]);
      }
      StorageUnit unit = storage_unit(run.first_bit, run.end_bit, record_size);
      if (unit.size == 0) unit = storage_unit(bit, bit + width, record_size);
      // Size 0: the field straddles every aligned unit (packed); accesses report it.
      const bool is_signed = declaration->getType()->isSignedIntegerOrEnumerationType();
      if (unit.size != 0) {
        field.type = builder_.int_type(static_cast<std::uint32_t>(unit.size * 8), is_signed);
        field.offset = unit.byte;
        field.bits = {static_cast<std::uint32_t>(bit - unit.byte * 8),
                      static_cast<std::uint32_t>(width)};
      }
    } else {
      run = {};
    }
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace heddle::frontend
