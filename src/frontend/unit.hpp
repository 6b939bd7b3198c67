// One parsed translation unit with what belongs to it alone: its Clang context,
// its files as the Program numbers them, and its types as lowered so far.
#pragma once

#include <clang/Frontend/ASTUnit.h>

#include <map>
#include <memory>
#include <stdexcept>
#include <string>

#include "frontend/clang.hpp"
#include "ir/builder.hpp"

namespace heddle::frontend {

// A construct that we do not model. Caught where a statement is lowered, and turned
// into an Unsupported edge: only executions that get there are affected.
class UnsupportedConstruct : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Unit {
 public:
  Unit(std::unique_ptr<clang::ASTUnit> ast, ir::Origin origin, ir::ProgramBuilder& builder);

  clang::ASTContext& context() const { return ast_->getASTContext(); }
  ir::Origin origin() const { return origin_; }

  base::SourceRange range(clang::SourceRange range);
  ir::TypeId type(clang::QualType type);
  // Index into Type::fields of the record that declares the field.
  std::uint32_t field_index(const clang::FieldDecl* field);

 private:
  base::FileId file(clang::FileID id);
  ir::TypeId lower(clang::QualType canonical);
  ir::TypeId lower_builtin(const clang::BuiltinType* type);
  ir::TypeId lower_function(const clang::FunctionType* type);
  ir::TypeId lower_record(const clang::RecordType* type);
  std::vector<ir::Field> lower_fields(const clang::RecordDecl* record);
  ir::TypeId opaque(clang::QualType type);

  std::unique_ptr<clang::ASTUnit> ast_;
  ir::Origin origin_;
  ir::ProgramBuilder& builder_;
  std::map<clang::FileID, base::FileId> files_;
  std::map<const clang::Type*, ir::TypeId> types_;  // look-ups only, never iterated
  std::map<const clang::FieldDecl*, std::uint32_t> fields_;
};

}  // namespace heddle::frontend
