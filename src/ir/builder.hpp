// The one way to make a Program, or a changed copy of one. Hash-conses types and
// expressions, and simplifies an expression as it is built (constant operands,
// neutral elements, casts to the same type), so that nobody has to later. Arithmetic on
// constants that overflows stays as written: whether it counts is the property's matter.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ir/program.hpp"

namespace heddle::ir {

class ProgramBuilder {
 public:
  explicit ProgramBuilder(DataModel model);
  // Starts from a copy; ids of the original stay valid in the result.
  explicit ProgramBuilder(Program program);

  // ---- types ----
  TypeId void_type();
  TypeId bool_type();
  TypeId int_type(std::uint32_t width, bool is_signed);
  TypeId float_type(std::uint32_t width);  // 32 or 64
  TypeId pointer_to(TypeId pointee);
  TypeId array_of(TypeId element, std::uint64_t count);
  TypeId incomplete_array_of(TypeId element);
  TypeId function_type(TypeId result, std::vector<TypeId> parameters, bool variadic);
  // A record is identified by its name; complete it once. The final name is made unique.
  TypeId declare_record(RecordKind kind, std::string_view name);
  void complete_record(TypeId record, std::vector<Field> fields, std::uint64_t size,
                       std::uint32_t align);
  TypeId size_type();  // unsigned, as wide as a pointer

  // ---- expressions ----
  ExprId constant(TypeId type, std::uint64_t bits);  // truncated to the type
  ExprId reg(RegId reg);
  ExprId global_address(GlobalId global);
  ExprId function_address(FunId function);
  ExprId unary(Op op, ExprId operand);
  ExprId binary(Op op, ExprId left, ExprId right);
  ExprId cast(TypeId to, ExprId value);
  ExprId select(ExprId condition, ExprId then, ExprId otherwise);
  ExprId ptr_add(ExprId pointer, ExprId index);
  ExprId ptr_diff(TypeId result, ExprId left, ExprId right);
  ExprId field(ExprId record_pointer, std::uint32_t index);
  ExprId truth(ExprId value);     // boolean: value != 0
  ExprId negation(ExprId value);  // boolean: !truth(value)
  bool is_constant(ExprId id) const { return expr(id).op == Op::constant; }

  // ---- program parts ----
  base::FileId add_file(SourceFile file);
  GlobalId add_global(Global global);                                    // makes the name unique
  FunId declare_function(std::string name, TypeId type, Origin origin);  // makes the name unique
  RegId add_register(FunId function, std::string name, TypeId type);
  RegId add_parameter(FunId function, std::string name, TypeId type);  // before any register
  RegId add_temporary(FunId function, TypeId type);
  LocId add_location(FunId function);
  EdgeId add_edge(LocId from, LocId to, Statement statement, base::SourceRange source);
  void remove_edge(EdgeId edge);
  void add_assumption(std::string text, base::SourceRange source);
  void set_entry(FunId function) { program_.entry_ = function; }
  void set_main(FunId function) { program_.main_ = function; }
  void set_function_entry(FunId function, LocId entry);

  // ---- access to the parts under construction ----
  const Program& view() const { return program_; }
  const Type& type(TypeId id) const { return program_.types_[id.value]; }
  const Expr& expr(ExprId id) const { return program_.exprs_[id.value]; }
  const Type& type_of(ExprId id) const { return type(expr(id).type); }
  Global& global(GlobalId id) { return program_.globals_[id.value]; }
  Function& function(FunId id) { return program_.functions_[id.value]; }
  Location& location(LocId id) { return program_.locations_[id.value]; }
  Edge& edge(EdgeId id) { return program_.edges_[id.value]; }

  // Marks loop heads, checks that the program is well formed, and hands it over.
  Program finish() &&;

 private:
  TypeId intern(Type type);
  ExprId intern(Expr expr);
  std::string unique(std::string name);

  Program program_;
  std::map<std::string, TypeId> types_by_shape_;
  std::map<Expr, ExprId> exprs_by_shape_;
  std::map<std::string, std::uint32_t> names_;  // next suffix for a taken name
};

}  // namespace heddle::ir
