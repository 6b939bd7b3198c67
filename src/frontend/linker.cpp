#include "frontend/linker.hpp"

#include <fmt/format.h>

#include "frontend/frontend.hpp"
#include "frontend/initializer.hpp"

namespace heddle::frontend {
namespace {

std::string place(Unit& unit, clang::SourceLocation at, const ir::ProgramBuilder& builder) {
  const base::SourceRange range = unit.range({at, at});
  if (!range.known()) return {};
  return fmt::format("{}:{}:{}: ", builder.view().file(range.file).name, range.line, range.column);
}

bool external(const clang::NamedDecl* declaration) {
  return declaration->hasExternalFormalLinkage();
}

}  // namespace

Linker::Linker(ir::ProgramBuilder& builder, std::vector<std::unique_ptr<Unit>>& units)
    : builder_(builder) {
  for (const std::unique_ptr<Unit>& unit : units) collect(*unit);
}

void Linker::collect(Unit& unit) {
  const bool model = unit.origin() == ir::Origin::model;
  for (const clang::Decl* declaration : unit.context().getTranslationUnitDecl()->decls()) {
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(declaration)) {
      // An inline definition may only hint at the real one; it means the same.
      if (!function->isThisDeclarationADefinition()) continue;
      if (function->hasAttr<clang::ConstructorAttr>()) constructors_.emplace_back(function, &unit);
      if (!external(function)) continue;
      const auto [at, fresh] =
          functions_.emplace(function->getNameAsString(), Definition{function, &unit});
      if (!fresh && !model && !function->isInlined())
        throw InputError(place(unit, function->getLocation(), builder_) + "error: '" + at->first +
                         "' is defined more than once; remove one definition or one file");
    } else if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration)) {
      if (!external(variable) ||
          variable->isThisDeclarationADefinition() == clang::VarDecl::DeclarationOnly)
        continue;
      const auto [at, fresh] =
          variables_.emplace(variable->getNameAsString(), Variable{variable, &unit});
      // A later definition with an initialiser wins over a tentative one.
      if (!fresh && variable->hasInit()) at->second = {variable, &unit};
    }
  }
}

std::optional<Linker::Definition> Linker::definition_of(const clang::FunctionDecl* use,
                                                        Unit& unit) const {
  const clang::FunctionDecl* here = nullptr;
  if (use->isDefined(here) && here->hasBody()) return Definition{here, &unit};
  const auto at = functions_.find(use->getNameAsString());
  if (at == functions_.end()) return std::nullopt;
  return at->second;
}

ir::FunId Linker::enqueue(const Definition& definition) {
  const auto [at, fresh] = lowered_.emplace(definition.first, ir::FunId{});
  if (!fresh) return at->second;
  Unit& unit = *definition.second;
  const ir::FunId id = builder_.declare_function(
      definition.first->getNameAsString(), unit.type(definition.first->getType()), unit.origin());
  at->second = id;
  queue_.push_back({id, definition.first, &unit});
  return id;
}

std::optional<ir::FunId> Linker::function(const clang::FunctionDecl* use, Unit& unit) {
  const std::optional<Definition> definition = definition_of(use, unit);
  if (!definition) return std::nullopt;
  return enqueue(*definition);
}

std::optional<ir::FunId> Linker::function_named(const std::string& name) {
  const auto at = functions_.find(name);
  if (at == functions_.end()) return std::nullopt;
  return enqueue(at->second);
}

bool Linker::defined_by_model(const std::string& name) const {
  const auto at = functions_.find(name);
  return at != functions_.end() && at->second.second->origin() == ir::Origin::model;
}

bool Linker::only_returns_something(const std::string& name) const {
  if (!defined_by_model(name)) return false;
  const auto* note = functions_.at(name).first->getAttr<clang::AnnotateAttr>();
  return note != nullptr && note->getAnnotation() == "heddle:any_result";
}

ir::FunId Linker::unknown_function(const clang::FunctionDecl* use, Unit& unit) {
  const auto [at, fresh] = unknown_.emplace(use->getNameAsString(), ir::FunId{});
  if (!fresh) return at->second;
  at->second = builder_.declare_function(use->getNameAsString(), unit.type(use->getType()),
                                         ir::Origin::user);
  queue_.push_back({at->second, use, &unit});
  return at->second;
}

Linker::Variable Linker::definition_of(const clang::VarDecl* use, Unit& unit) const {
  if (external(use)) {
    const auto at = variables_.find(use->getNameAsString());
    if (at != variables_.end()) return at->second;
  }
  if (const clang::VarDecl* definition = use->getDefinition()) return {definition, &unit};
  if (const clang::VarDecl* tentative = const_cast<clang::VarDecl*>(use)->getActingDefinition())
    return {tentative, &unit};
  return {use, &unit};
}

ir::GlobalId Linker::global(const clang::VarDecl* use, Unit& unit) {
  const auto [definition, owner] = definition_of(use, unit);
  const auto known = globals_.find(definition->getCanonicalDecl());
  if (known != globals_.end()) return known->second;
  const bool defined =
      definition->isThisDeclarationADefinition() != clang::VarDecl::DeclarationOnly;
  if (!defined && external(definition)) {
    const auto other = external_globals_.find(definition->getNameAsString());
    if (other != external_globals_.end()) return other->second;
  }
  ir::Global global;
  global.name = definition->getNameAsString();
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(definition->getDeclContext()))
    global.name = function->getNameAsString() + "_" + global.name;
  global.type = owner->type(definition->getType());
  // `int a[];` alone has one element.
  if (!builder_.type(global.type).complete &&
      builder_.type(global.type).kind == ir::TypeKind::array)
    global.type = builder_.array_of(builder_.type(global.type).element, 1);
  global.kind = defined ? ir::GlobalKind::variable : ir::GlobalKind::external;
  global.storage = definition->getTLSKind() == clang::VarDecl::TLS_None ? ir::Storage::process
                                                                        : ir::Storage::thread;
  global.source = owner->range(definition->getSourceRange());
  const ir::GlobalId id = builder_.add_global(std::move(global));
  globals_.emplace(definition->getCanonicalDecl(), id);
  if (!defined) {
    external_globals_.emplace(definition->getNameAsString(), id);
    builder_.add_assumption(fmt::format("variable '{}' is defined nowhere: it may hold any value",
                                        builder_.global(id).name),
                            builder_.global(id).source);
  }
  if (defined && definition->hasInit()) {
    std::vector<ir::Initializer> initializers =
        lower_initializer(*definition, *owner, *this, builder_);
    builder_.global(id).initializers = std::move(initializers);
  }
  return id;
}

ir::GlobalId Linker::string_literal(const clang::StringLiteral* literal, Unit& unit) {
  const auto known = literals_.find(literal);
  if (known != literals_.end()) return known->second;
  ir::Global global;
  global.name = "string";
  global.type = unit.type(literal->getType());
  global.kind = ir::GlobalKind::string_literal;
  global.source = unit.range(literal->getSourceRange());
  const ir::TypeId element = builder_.type(global.type).element;
  const std::uint64_t stride = builder_.type(element).size;
  const std::uint64_t count =
      std::min<std::uint64_t>(literal->getLength(), builder_.type(global.type).count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t unit_value = literal->getCodeUnit(i);
    if (unit_value != 0)
      global.initializers.push_back({i * stride, builder_.constant(element, unit_value), {}});
  }
  const ir::GlobalId id = builder_.add_global(std::move(global));
  literals_.emplace(literal, id);
  return id;
}

ir::GlobalId Linker::literal_object(const clang::CompoundLiteralExpr* literal, Unit& unit) {
  const auto known = literals_.find(literal);
  if (known != literals_.end()) return known->second;
  ir::Global global;
  global.name = "literal";
  global.type = unit.type(literal->getType());
  global.source = unit.range(literal->getSourceRange());
  const ir::GlobalId id = builder_.add_global(std::move(global));
  literals_.emplace(literal, id);
  std::vector<ir::Initializer> initializers = lower_initializer(*literal, unit, *this, builder_);
  builder_.global(id).initializers = std::move(initializers);
  return id;
}

std::optional<FunctionToLower> Linker::next() {
  if (queue_.empty()) return std::nullopt;
  const FunctionToLower function = queue_.front();
  queue_.pop_front();
  return function;
}

}  // namespace heddle::frontend
