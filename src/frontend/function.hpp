// Lowers one function body from Clang's AST to a control-flow automaton.
//
// Expressions become pure IR expressions over registers; whatever reads memory, has
// an effect or may fault becomes edges before them, in C's left-to-right order. The
// lowering keeps a current location and appends edges there. Its parts:
// function.cpp (frame, emission), statements.cpp, expressions.cpp, assignments.cpp, places.cpp
// (lvalues and copies), locals.cpp (declarations and initialisers), calls.cpp,
// intrinsics.cpp (__VERIFIER_*, __heddle_*, builtins), atomics.cpp.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/linker.hpp"

namespace heddle::frontend {

// Where a value lives: a register, or memory at an address.
struct Place {
  ir::RegId reg{};       // valid: a register
  ir::ExprId address{};  // else: pointer to the stored type
  ir::BitRange bits{};
  ir::TypeId type{};  // of the value; a bit-field's storage unit may have another
  ir::MemoryOrder order = ir::MemoryOrder::plain;
};

class FunctionLowering {
 public:
  FunctionLowering(const FunctionToLower& function, Linker& linker, ir::ProgramBuilder& builder);
  void run();

 private:
  // ---- function.cpp ----
  void note_sync_operation();
  void lower_parameters();
  void lower_unknown_body();
  void find_locals(const clang::Stmt* statement);
  void make_locals_at_entry();
  ir::LocId fresh() { return builder_.add_location(id_); }
  void emit(ir::Statement statement);
  void jump(ir::LocId target);
  void start(ir::LocId location) { here_ = location; }
  void start_unreachable() { here_ = fresh(); }
  ir::RegId temporary(ir::TypeId type) { return builder_.add_temporary(id_, type); }
  ir::ExprId keep(ir::ExprId value);  // its value now, in a register of its own
  [[noreturn]] void unsupported(const std::string& what) const;
  // Counts how deep the text nests; beyond all measure, the input is rejected.
  class Nesting {
   public:
    explicit Nesting(FunctionLowering& lowering);
    ~Nesting() { --lowering_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    FunctionLowering& lowering_;
  };
  ir::TypeId type(clang::QualType qualified) { return unit_.type(qualified); }
  bool scalar(clang::QualType qualified) { return builder_.type(type(qualified)).scalar(); }
  ir::TypeId int_type() { return builder_.int_type(32, true); }
  ir::TypeId byte_pointer() { return builder_.pointer_to(builder_.int_type(8, true)); }
  ir::TypeId index_type();
  ir::ExprId int_constant(std::uint64_t value) { return builder_.constant(int_type(), value); }

  // ---- statements.cpp ----
  void statement(const clang::Stmt* statement);
  void statement_inner(const clang::Stmt* statement);
  void compound(const clang::CompoundStmt* compound);
  void if_statement(const clang::IfStmt* statement);
  void while_loop(const clang::WhileStmt* loop);
  void do_loop(const clang::DoStmt* loop);
  void for_loop(const clang::ForStmt* loop);
  void switch_statement(const clang::SwitchStmt* statement);
  void return_statement(const clang::ReturnStmt* statement);
  void assembly(const clang::GCCAsmStmt* assembly);
  void leave_function(std::optional<ir::ExprId> value);
  void branch_on(ir::ExprId condition, ir::LocId then, ir::LocId otherwise);
  void branch(const clang::Expr* condition, ir::LocId then, ir::LocId otherwise);
  ir::LocId label(const clang::LabelDecl* label);
  void loop_body(const clang::Stmt* body, ir::LocId break_to, ir::LocId continue_to);

  // ---- expressions.cpp ----
  ir::ExprId value(const clang::Expr* expr);      // scalar
  void effect(const clang::Expr* expr);           // result not wanted
  ir::ExprId condition(const clang::Expr* expr);  // boolean
  ir::ExprId cast_value(const clang::CastExpr* cast);
  ir::ExprId binary_value(const clang::BinaryOperator* binary);
  ir::ExprId unary_value(const clang::UnaryOperator* unary);
  ir::ExprId logical_value(const clang::Expr* expr);
  ir::ExprId conditional_value(const clang::Expr* condition, const clang::Expr* then,
                               const clang::Expr* otherwise, clang::QualType result);
  ir::ExprId elvis_value(const clang::BinaryConditionalOperator* expr);
  ir::ExprId arithmetic(clang::BinaryOperatorKind op, ir::ExprId left, ir::ExprId right,
                        clang::QualType left_type, clang::QualType right_type, ir::TypeId result);
  ir::ExprId move_pointer(ir::ExprId pointer, clang::QualType pointer_type, ir::ExprId index);
  ir::ExprId pointer_distance(ir::ExprId left, ir::ExprId right, clang::QualType pointer_type,
                              ir::TypeId result);
  void guard_division(ir::ExprId divisor);
  ir::ExprId assign(const clang::BinaryOperator* assignment);
  ir::ExprId compound_assign(const clang::CompoundAssignOperator* assignment);
  ir::ExprId step_value(const clang::UnaryOperator* step);
  ir::ExprId statement_expression(const clang::StmtExpr* expr);
  ir::ExprId size_of(const clang::UnaryExprOrTypeTraitExpr* trait);
  ir::ExprId size_of_type(clang::QualType type);  // bytes; variable-length arrays too
  std::optional<ir::ExprId> constant_value(const clang::Expr* expr);
  bool pure(const clang::Expr* expr) const;  // no edge needed to evaluate it

  // ---- places.cpp ----
  Place place(const clang::Expr* expr);
  Place variable_place(const clang::VarDecl* variable);
  Place member_place(const clang::MemberExpr* member);
  Place memory_place(ir::ExprId address, clang::QualType type);
  ir::ExprId address_of(const Place& place) const;
  ir::ExprId read(const Place& place);
  void write(const Place& place, ir::ExprId value);
  ir::ExprId aggregate(const clang::Expr* expr);  // address of a record or array value
  void copy(ir::ExprId to, ir::ExprId from, ir::TypeId type);
  void copy_leaves(ir::ExprId to, ir::ExprId from, ir::TypeId type);
  std::uint64_t leaf_count(ir::TypeId type) const;
  ir::ExprId element(ir::ExprId array_address, std::uint64_t index);

  // ---- locals.cpp ----
  void declare(const clang::VarDecl* variable);
  Place make_local(const clang::VarDecl* variable, ir::Contents contents);
  ir::ExprId allocate_local(const std::string& name, ir::TypeId type, ir::Contents contents);
  void allocate_at(ir::RegId address, const std::string& name, ir::ExprId size,
                   ir::Contents contents);
  void initialize(ir::ExprId address, clang::QualType type, const clang::Expr* init);
  void initialize_list(ir::ExprId address, clang::QualType type, const clang::InitListExpr* list);
  void initialize_string(ir::ExprId address, const clang::StringLiteral* literal, ir::TypeId array);
  ir::ExprId variable_array(const clang::VarDecl* variable);
  void note_sizes(clang::QualType type);

  // ---- calls.cpp ----
  // The scalar result; invalid for void. Record results: the address of a temporary.
  ir::ExprId call(const clang::CallExpr* call);
  ir::ExprId call_function(ir::ExprId callee, const clang::CallExpr* call);
  ir::ExprId call_unknown(const clang::FunctionDecl* function, const clang::CallExpr* call);
  std::vector<ir::ExprId> arguments(const clang::CallExpr* call);
  ir::ExprId argument(const clang::Expr* expr);
  void store_anything(const clang::Expr* pointer, ir::ExprId address);
  void call_by_name(const std::string& name, std::vector<ir::ExprId> args);
  ir::ExprId havoc(ir::TypeId type, std::uint64_t limit = 0);

  // ---- intrinsics.cpp ----
  // nullopt: not an intrinsic. An intrinsic without a value yields an invalid ExprId.
  std::optional<ir::ExprId> intrinsic(const std::string& name, const clang::FunctionDecl* function,
                                      const clang::CallExpr* call);
  std::optional<ir::ExprId> verifier_intrinsic(const std::string& name,
                                               const clang::FunctionDecl* function,
                                               const clang::CallExpr* call);
  std::optional<ir::ExprId> model_intrinsic(const std::string& name, const clang::CallExpr* call);
  std::optional<ir::ExprId> builtin(const std::string& name, const clang::CallExpr* call);
  std::optional<ir::ExprId> overflow_builtin(const std::string& name, const clang::CallExpr* call);
  void await(const clang::Expr* condition, ir::WaitsFor waits_for);
  ir::ExprId allocate(const clang::Expr* size, ir::AllocKind kind, ir::Contents contents);
  std::string text_of(const clang::Expr* expr) const;

  // ---- atomics.cpp ----
  ir::ExprId atomic(const clang::AtomicExpr* expr);
  std::optional<ir::ExprId> sync_builtin(const std::string& name, const clang::CallExpr* call);
  ir::ExprId update(ir::ExprId address, ir::RmwOp op, ir::ExprId operand, ir::MemoryOrder order);
  ir::ExprId compare_exchange(ir::ExprId address, ir::ExprId expected, ir::ExprId desired,
                              ir::MemoryOrder order);
  ir::ExprId applied(ir::RmwOp op, ir::ExprId before, ir::ExprId operand);
  ir::MemoryOrder order_of(const clang::Expr* expr);

  const FunctionToLower& function_;
  ir::FunId id_;
  Unit& unit_;
  Linker& linker_;
  ir::ProgramBuilder& builder_;
  ir::LocId here_{};
  ir::EdgeId last_edge_{};
  base::SourceRange source_{};
  ir::ExprId result_address_{};  // valid: the function returns a record there
  std::uint32_t depth_ = 0;      // of nested statements and expressions
  bool runs_atomically_ = false;
  bool jumps_past_declarations_ = false;

  std::set<const clang::ValueDecl*> addressed_;  // look-ups only
  std::vector<const clang::VarDecl*> declared_;  // automatic variables, in source order
  std::map<const clang::ValueDecl*, Place> locals_;
  std::map<const clang::VarDecl*, ir::RegId> address_registers_;  // of locals in memory
  std::map<const clang::LabelDecl*, ir::LocId> labels_;
  std::map<const clang::VariableArrayType*, ir::ExprId> array_sizes_;  // element counts
  std::map<const clang::OpaqueValueExpr*, ir::ExprId> opaque_values_;
  std::map<const clang::SwitchCase*, ir::LocId> cases_;
  std::vector<ir::LocId> breaks_, continues_;
};

}  // namespace heddle::frontend
