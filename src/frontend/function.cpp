#include "frontend/function.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "frontend/frontend.hpp"

namespace heddle::frontend {
namespace {

bool is_atomic_function(const std::string& name) {
  return name.starts_with("__VERIFIER_atomic_") && name != "__VERIFIER_atomic_begin" &&
         name != "__VERIFIER_atomic_end";
}

// Past which declarations can control jump: a label's, or those at the top of a switch.
bool lets_jump_past_declarations(const clang::Stmt* statement) {
  if (llvm::isa<clang::LabelStmt>(statement)) return true;
  const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(statement);
  if (choice == nullptr) return false;
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(choice->getBody());
  return body != nullptr &&
         std::any_of(body->body_begin(), body->body_end(),
                     [](const clang::Stmt* child) { return llvm::isa<clang::DeclStmt>(child); });
}

}  // namespace

FunctionLowering::FunctionLowering(const FunctionToLower& function, Linker& linker,
                                   ir::ProgramBuilder& builder)
    : function_(function),
      id_(function.id),
      unit_(*function.unit),
      linker_(linker),
      builder_(builder),
      runs_atomically_(is_atomic_function(function.definition->getNameAsString())) {}

void FunctionLowering::run() {
  const clang::FunctionDecl* definition = function_.definition;
  source_ = unit_.range(definition->getSourceRange());
  builder_.function(id_).source = source_;
  source_ = unit_.range({definition->getLocation(), definition->getLocation()});
  note_sync_operation();
  here_ = fresh();
  builder_.set_function_entry(id_, here_);
  if (!definition->hasBody()) return lower_unknown_body();
  find_locals(definition->getBody());
  lower_parameters();
  if (jumps_past_declarations_) make_locals_at_entry();
  if (runs_atomically_) emit(ir::Atomic{ir::AtomicMark::begin});
  statement(definition->getBody());
  // Falling off the end; C leaves the value of a non-void function open.
  const ir::TypeId result = builder_.type(builder_.function(id_).type).element;
  const bool is_void = builder_.type(result).kind == ir::TypeKind::void_type;
  const clang::SourceLocation end = definition->getBodyRBrace();
  source_ = unit_.range({end, end});
  if (is_void) return leave_function(std::nullopt);
  leave_function(definition->isMain() ? builder_.constant(result, 0) : havoc(result));
}

void FunctionLowering::note_sync_operation() {
  static constexpr llvm::StringRef prefix = "heddle:sync=";
  if (unit_.origin() != ir::Origin::model) return;
  const auto* note = function_.definition->getAttr<clang::AnnotateAttr>();
  if (note == nullptr || !note->getAnnotation().starts_with(prefix)) return;
  const std::string name = note->getAnnotation().substr(prefix.size()).str();
  builder_.function(id_).sync = ir::parse_sync_op(name);
  CHECK(builder_.function(id_).sync.has_value(), "models name known sync operations: " + name);
}

void FunctionLowering::lower_parameters() {
  const clang::FunctionDecl* definition = function_.definition;
  const clang::QualType result = definition->getReturnType();
  if (!result->isVoidType() && !scalar(result)) {
    const ir::RegId hidden =
        builder_.add_parameter(id_, "result", builder_.pointer_to(type(result)));
    result_address_ = builder_.reg(hidden);
  }
  std::vector<ir::RegId> registers;
  for (const clang::ParmVarDecl* parameter : definition->parameters()) {
    const ir::TypeId id = type(parameter->getType());
    const ir::TypeId passed = builder_.type(id).scalar() ? id : builder_.pointer_to(id);
    registers.push_back(builder_.add_parameter(id_, parameter->getNameAsString(), passed));
  }
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const clang::ParmVarDecl* parameter = definition->getParamDecl(static_cast<unsigned>(i));
    note_sizes(parameter->getType());
    if (!scalar(parameter->getType())) {
      locals_[parameter] = memory_place(builder_.reg(registers[i]), parameter->getType());
    } else if (addressed_.contains(parameter)) {
      const ir::ExprId address = allocate_local(parameter->getNameAsString(),
                                                type(parameter->getType()), ir::Contents::unset);
      locals_[parameter] = memory_place(address, parameter->getType());
      emit(ir::Store{address, builder_.reg(registers[i])});
    } else {
      locals_[parameter] = {.reg = registers[i], .type = type(parameter->getType())};
    }
  }
}

// The address of an undefined function was taken: a call through it returns any value.
void FunctionLowering::lower_unknown_body() {
  const clang::QualType result = function_.definition->getReturnType();
  if (!result->isVoidType() && !scalar(result))
    unsupported("call of an undefined function that returns a record");
  lower_parameters();
  builder_.add_assumption("function '" + function_.definition->getNameAsString() +
                              "' is not defined: assumed to return any value and to change only "
                              "what its arguments point to",
                          source_);
  for (const clang::ParmVarDecl* parameter : function_.definition->parameters()) {
    const clang::QualType pointee = parameter->getType()->getPointeeType();
    if (!pointee.isNull() && !pointee.isConstQualified() && !pointee->isFunctionType())
      emit(ir::Clobber{read(locals_[parameter])});
  }
  leave_function(result->isVoidType() ? std::nullopt : std::optional(havoc(type(result))));
}

void FunctionLowering::find_locals(const clang::Stmt* statement) {
  if (statement == nullptr) return;
  jumps_past_declarations_ = jumps_past_declarations_ || lets_jump_past_declarations(statement);
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement);
      unary != nullptr && unary->getOpcode() == clang::UO_AddrOf)
    if (const auto* use = llvm::dyn_cast<clang::DeclRefExpr>(unary->getSubExpr()->IgnoreParens()))
      addressed_.insert(use->getDecl());
  if (const auto* declarations = llvm::dyn_cast<clang::DeclStmt>(statement))
    for (const clang::Decl* declaration : declarations->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration);
          variable != nullptr && !variable->hasGlobalStorage() &&
          !variable->getType()->isVariableArrayType())
        declared_.push_back(variable);
  for (const clang::Stmt* child : statement->children()) find_locals(child);
  if (const auto* choice = llvm::dyn_cast<clang::GenericSelectionExpr>(statement))
    find_locals(choice->getResultExpr());
}

// Where control can jump past a declaration, the variable must exist without it.
void FunctionLowering::make_locals_at_entry() {
  for (const clang::VarDecl* variable : declared_) make_local(variable, ir::Contents::unset);
}

void FunctionLowering::emit(ir::Statement statement) {
  const ir::LocId next = fresh();
  last_edge_ = builder_.add_edge(here_, next, std::move(statement), source_);
  here_ = next;
}

void FunctionLowering::jump(ir::LocId target) {
  builder_.add_edge(here_, target, ir::Skip{}, source_);
  last_edge_ = {};
}

ir::ExprId FunctionLowering::keep(ir::ExprId value) {
  if (builder_.is_constant(value)) return value;
  const ir::RegId kept = temporary(builder_.expr(value).type);
  emit(ir::Assign{kept, value});
  return builder_.reg(kept);
}

FunctionLowering::Nesting::Nesting(FunctionLowering& lowering) : lowering_(lowering) {
  constexpr std::uint32_t deepest = 4'000;
  if (++lowering.depth_ <= deepest) return;
  const base::SourceRange& at = lowering.source_;
  throw InputError(
      fmt::format("{}:{}:{}: error: nested too deeply; split the expression or the blocks",
                  lowering.builder_.view().file(at.file).name, at.line, at.column));
}

void FunctionLowering::unsupported(const std::string& what) const {
  throw UnsupportedConstruct(what);
}

ir::TypeId FunctionLowering::index_type() {
  return builder_.int_type(builder_.view().data_model() == ir::DataModel::ilp32 ? 32 : 64, true);
}

}  // namespace heddle::frontend
