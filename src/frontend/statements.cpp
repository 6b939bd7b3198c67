#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {
namespace {

// Assembly that changes no value: compiler barriers, fences, pauses.
bool only_orders(llvm::StringRef text) {
  std::string compact;
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) compact += c;
  static constexpr std::array<std::string_view, 12> harmless = {
      "",        "mfence",   "lfence", "sfence", "pause", "nop",
      "rep;nop", "rep;nop;", "pause;", "nop;",   "yield", "mfence;"};
  return std::find(harmless.begin(), harmless.end(), compact) != harmless.end();
}

}  // namespace

// A construct that cannot be lowered becomes an Unsupported edge; what follows it in
// the text may still be reached by other ways.
void FunctionLowering::statement(const clang::Stmt* statement) {
  if (statement == nullptr) return;
  const Nesting nesting(*this);
  const base::SourceRange outer = source_;
  const base::SourceRange own = unit_.range(statement->getSourceRange());
  if (own.known()) source_ = own;
  try {
    statement_inner(statement);
  } catch (const UnsupportedConstruct& reason) {
    emit(ir::Unsupported{reason.what()});
    start_unreachable();
  }
  source_ = outer;
}

void FunctionLowering::statement_inner(const clang::Stmt* statement) {
  using clang::Stmt;
  switch (statement->getStmtClass()) {
    case Stmt::CompoundStmtClass:
      return compound(llvm::cast<clang::CompoundStmt>(statement));
    case Stmt::IfStmtClass:
      return if_statement(llvm::cast<clang::IfStmt>(statement));
    case Stmt::WhileStmtClass:
      return while_loop(llvm::cast<clang::WhileStmt>(statement));
    case Stmt::DoStmtClass:
      return do_loop(llvm::cast<clang::DoStmt>(statement));
    case Stmt::ForStmtClass:
      return for_loop(llvm::cast<clang::ForStmt>(statement));
    case Stmt::SwitchStmtClass:
      return switch_statement(llvm::cast<clang::SwitchStmt>(statement));
    case Stmt::ReturnStmtClass:
      return return_statement(llvm::cast<clang::ReturnStmt>(statement));
    case Stmt::GCCAsmStmtClass:
      return assembly(llvm::cast<clang::GCCAsmStmt>(statement));
    case Stmt::NullStmtClass:
      return;
    case Stmt::DeclStmtClass:
      for (const clang::Decl* declaration : llvm::cast<clang::DeclStmt>(statement)->decls()) {
        if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(declaration))
          declare(variable);
        else if (const auto* named = llvm::dyn_cast<clang::TypedefNameDecl>(declaration))
          note_sizes(named->getUnderlyingType());
      }
      return;
    case Stmt::BreakStmtClass:
      jump(breaks_.back());
      return start_unreachable();
    case Stmt::ContinueStmtClass:
      jump(continues_.back());
      return start_unreachable();
    case Stmt::GotoStmtClass:
      jump(label(llvm::cast<clang::GotoStmt>(statement)->getLabel()));
      return start_unreachable();
    case Stmt::LabelStmtClass: {
      const auto* labelled = llvm::cast<clang::LabelStmt>(statement);
      const ir::LocId target = label(labelled->getDecl());
      jump(target);
      start(target);
      return this->statement(labelled->getSubStmt());
    }
    case Stmt::CaseStmtClass:
    case Stmt::DefaultStmtClass: {
      const auto* labelled = llvm::cast<clang::SwitchCase>(statement);
      const ir::LocId target = cases_.at(labelled);
      jump(target);
      start(target);
      return this->statement(labelled->getSubStmt());
    }
    case Stmt::AttributedStmtClass:
      return this->statement(llvm::cast<clang::AttributedStmt>(statement)->getSubStmt());
    default:
      break;
  }
  if (const auto* expr = llvm::dyn_cast<clang::Expr>(statement)) return effect(expr);
  unsupported(std::string("statement ") + statement->getStmtClassName());
}

void FunctionLowering::compound(const clang::CompoundStmt* compound) {
  for (const clang::Stmt* child : compound->body()) statement(child);
}

void FunctionLowering::branch_on(ir::ExprId condition, ir::LocId then, ir::LocId otherwise) {
  if (builder_.is_constant(condition))
    return jump(builder_.expr(condition).payload != 0 ? then : otherwise);
  builder_.add_edge(here_, then, ir::Assume{condition}, source_);
  builder_.add_edge(here_, otherwise, ir::Assume{builder_.negation(condition)}, source_);
  last_edge_ = {};
}

void FunctionLowering::branch(const clang::Expr* condition, ir::LocId then, ir::LocId otherwise) {
  const clang::Expr* inner = condition->IgnoreParenImpCasts();
  if (const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(inner)) {
    if (binary->getOpcode() == clang::BO_LAnd || binary->getOpcode() == clang::BO_LOr) {
      const ir::LocId middle = fresh();
      if (binary->getOpcode() == clang::BO_LAnd)
        branch(binary->getLHS(), middle, otherwise);
      else
        branch(binary->getLHS(), then, middle);
      start(middle);
      return branch(binary->getRHS(), then, otherwise);
    }
  }
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(inner))
    if (unary->getOpcode() == clang::UO_LNot) return branch(unary->getSubExpr(), otherwise, then);
  branch_on(this->condition(condition), then, otherwise);
}

void FunctionLowering::if_statement(const clang::IfStmt* statement) {
  const ir::LocId then = fresh(), otherwise = fresh(), after = fresh();
  const base::SourceRange whole = source_;
  source_ = unit_.range(statement->getCond()->getSourceRange());
  branch(statement->getCond(), then, otherwise);
  source_ = whole;
  start(then);
  this->statement(statement->getThen());
  jump(after);
  start(otherwise);
  this->statement(statement->getElse());
  jump(after);
  start(after);
}

void FunctionLowering::loop_body(const clang::Stmt* body, ir::LocId break_to,
                                 ir::LocId continue_to) {
  breaks_.push_back(break_to);
  continues_.push_back(continue_to);
  statement(body);
  breaks_.pop_back();
  continues_.pop_back();
}

void FunctionLowering::while_loop(const clang::WhileStmt* loop) {
  const ir::LocId head = fresh(), body = fresh(), after = fresh();
  source_ = unit_.range(loop->getCond()->getSourceRange());
  jump(head);
  start(head);
  branch(loop->getCond(), body, after);
  start(body);
  loop_body(loop->getBody(), after, head);
  jump(head);
  start(after);
}

void FunctionLowering::do_loop(const clang::DoStmt* loop) {
  const ir::LocId body = fresh(), test = fresh(), after = fresh();
  jump(body);
  start(body);
  loop_body(loop->getBody(), after, test);
  jump(test);
  start(test);
  source_ = unit_.range(loop->getCond()->getSourceRange());
  branch(loop->getCond(), body, after);
  start(after);
}

void FunctionLowering::for_loop(const clang::ForStmt* loop) {
  statement(loop->getInit());
  const ir::LocId head = fresh(), body = fresh(), advance = fresh(), after = fresh();
  const base::SourceRange whole = source_;
  jump(head);
  start(head);
  if (loop->getCond() != nullptr) {
    source_ = unit_.range(loop->getCond()->getSourceRange());
    branch(loop->getCond(), body, after);
  } else {
    jump(body);
  }
  start(body);
  loop_body(loop->getBody(), after, advance);
  source_ = whole;
  jump(advance);
  start(advance);
  if (loop->getInc() != nullptr) statement(loop->getInc());
  jump(head);
  start(after);
}

void FunctionLowering::switch_statement(const clang::SwitchStmt* statement) {
  this->statement(statement->getInit());
  const ir::ExprId chosen = keep(value(statement->getCond()));
  const ir::TypeId type = builder_.expr(chosen).type;
  const ir::LocId after = fresh();
  ir::LocId fallback = after;
  std::vector<const clang::CaseStmt*> cases;
  for (const clang::SwitchCase* label = statement->getSwitchCaseList(); label != nullptr;
       label = label->getNextSwitchCase()) {
    cases_[label] = fresh();
    if (llvm::isa<clang::DefaultStmt>(label))
      fallback = cases_[label];
    else
      cases.push_back(llvm::cast<clang::CaseStmt>(label));
  }
  std::reverse(cases.begin(), cases.end());  // Clang lists them backwards
  const auto bound = [&](const clang::Expr* expr) {
    return builder_.constant(
        type, expr->EvaluateKnownConstInt(unit_.context()).extOrTrunc(64).getZExtValue());
  };
  for (const clang::CaseStmt* label : cases) {
    ir::ExprId matches = builder_.binary(ir::Op::eq, chosen, bound(label->getLHS()));
    if (label->caseStmtIsGNURange())
      matches = builder_.select(builder_.binary(ir::Op::le, bound(label->getLHS()), chosen),
                                builder_.binary(ir::Op::le, chosen, bound(label->getRHS())),
                                builder_.constant(builder_.bool_type(), 0));
    const ir::LocId next = fresh();
    branch_on(matches, cases_[label], next);
    start(next);
  }
  jump(fallback);
  start_unreachable();
  breaks_.push_back(after);
  this->statement(statement->getBody());
  breaks_.pop_back();
  jump(after);
  start(after);
}

void FunctionLowering::leave_function(std::optional<ir::ExprId> value) {
  if (runs_atomically_) {
    if (value) value = keep(*value);
    emit(ir::Atomic{ir::AtomicMark::end});
  }
  emit(ir::Return{value});
  start_unreachable();
}

void FunctionLowering::return_statement(const clang::ReturnStmt* statement) {
  const clang::Expr* result = statement->getRetValue();
  const clang::QualType declared = function_.definition->getReturnType();
  if (result_address_.valid()) {
    if (result != nullptr) copy(result_address_, aggregate(result), type(declared));
    return leave_function(std::nullopt);
  }
  if (declared->isVoidType()) {
    if (result != nullptr) effect(result);
    return leave_function(std::nullopt);
  }
  if (result == nullptr) return leave_function(havoc(type(declared)));
  leave_function(builder_.cast(type(declared), value(result)));
}

void FunctionLowering::assembly(const clang::GCCAsmStmt* assembly) {
  if (assembly->getNumOutputs() == 0 && only_orders(assembly->getAsmString()->getString())) {
    for (unsigned i = 0; i < assembly->getNumInputs(); ++i) effect(assembly->getInputExpr(i));
    return emit(ir::Skip{});
  }
  for (unsigned i = 0; i < assembly->getNumClobbers(); ++i)
    if (assembly->getClobber(i) == "memory") unsupported("inline assembly that changes memory");
  if (assembly->getNumOutputs() == 0) unsupported("inline assembly");
  for (unsigned i = 0; i < assembly->getNumInputs(); ++i)
    if (assembly->getInputExpr(i)->getType()->isPointerType())
      unsupported("inline assembly with a pointer");
  for (unsigned i = 0; i < assembly->getNumOutputs(); ++i) {
    const clang::Expr* output = assembly->getOutputExpr(i);
    if (!scalar(output->getType())) unsupported("inline assembly that writes a record");
    const Place target = place(output);
    write(target, havoc(target.type));
  }
  builder_.add_assumption(
      "inline assembly is assumed to give its outputs any value and to change nothing else",
      source_);
}

ir::LocId FunctionLowering::label(const clang::LabelDecl* label) {
  const auto [at, is_new] = labels_.emplace(label, ir::LocId{});
  if (is_new) at->second = fresh();
  return at->second;
}

}  // namespace heddle::frontend
