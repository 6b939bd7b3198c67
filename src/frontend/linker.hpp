// Names across translation units: which definition a call or a variable means, and
// which functions still have to be lowered. The user's units come first, the model
// library last, so that a user's own definition wins over a model.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/clang.hpp"
#include "frontend/unit.hpp"
#include "ir/builder.hpp"

namespace heddle::frontend {

struct FunctionToLower {
  ir::FunId id{};
  const clang::FunctionDecl* definition = nullptr;
  Unit* unit = nullptr;
};

class Linker {
 public:
  Linker(ir::ProgramBuilder& builder, std::vector<std::unique_ptr<Unit>>& units);

  // The function that `use` means, enqueued for lowering; nullopt if nobody defines it.
  std::optional<ir::FunId> function(const clang::FunctionDecl* use, Unit& unit);
  std::optional<ir::FunId> function_named(const std::string& name);
  // A function that only its address is known of: calls of it have an unknown effect.
  ir::FunId unknown_function(const clang::FunctionDecl* use, Unit& unit);
  // The model library's definition of this name is the one that counts.
  bool defined_by_model(const std::string& name) const;
  // A model that has no effect and returns any value, such as printf.
  bool only_returns_something(const std::string& name) const;
  ir::GlobalId global(const clang::VarDecl* use, Unit& unit);
  ir::GlobalId string_literal(const clang::StringLiteral* literal, Unit& unit);
  // A compound literal at file scope.
  ir::GlobalId literal_object(const clang::CompoundLiteralExpr* literal, Unit& unit);

  std::optional<FunctionToLower> next();
  const std::vector<std::pair<const clang::FunctionDecl*, Unit*>>& constructors() const {
    return constructors_;
  }

 private:
  using Definition = std::pair<const clang::FunctionDecl*, Unit*>;
  using Variable = std::pair<const clang::VarDecl*, Unit*>;

  void collect(Unit& unit);
  std::optional<Definition> definition_of(const clang::FunctionDecl* use, Unit& unit) const;
  Variable definition_of(const clang::VarDecl* use, Unit& unit) const;
  ir::FunId enqueue(const Definition& definition);

  ir::ProgramBuilder& builder_;
  std::map<std::string, Definition> functions_;              // external linkage
  std::map<std::string, Variable> variables_;                // external linkage
  std::map<const clang::FunctionDecl*, ir::FunId> lowered_;  // by definition; look-ups only
  std::map<std::string, ir::FunId> unknown_;
  std::map<const clang::VarDecl*, ir::GlobalId> globals_;  // by canonical declaration
  std::map<const clang::Expr*, ir::GlobalId> literals_;
  std::map<std::string, ir::GlobalId> external_globals_;
  std::deque<FunctionToLower> queue_;
  std::vector<Definition> constructors_;
};

}  // namespace heddle::frontend
