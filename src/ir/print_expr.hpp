// Expressions as C text. One walk serves two readers: people, who want few casts
// and parentheses, and compilers, who need the exact type of every operand.
#pragma once

#include <optional>
#include <string>

#include "ir/program.hpp"

namespace heddle::ir {

// How things are called in the text.
class Names {
 public:
  virtual ~Names() = default;
  virtual std::string reg(RegId id) const = 0;
  // The variable whose address this register holds for good, if it is one.
  virtual std::optional<std::string> object(RegId id) const = 0;
  virtual std::string global(GlobalId id) const = 0;
  virtual std::string function(FunId id) const = 0;
  // Empty: the member is left out of the path, as C does with anonymous members.
  virtual std::string field(TypeId record, std::uint32_t index) const = 0;
};

// The names as the program has them; named locals are found by their Alloc.
class SourceNames : public Names {
 public:
  explicit SourceNames(const Program& program);         // for all functions
  SourceNames(const Program& program, FunId function);  // for one
  std::string reg(RegId id) const override;
  std::optional<std::string> object(RegId id) const override;
  std::string global(GlobalId id) const override;
  std::string function(FunId id) const override;
  std::string field(TypeId record, std::uint32_t index) const override;

 private:
  void find_objects(const Function& function);

  const Program& program_;
  std::vector<std::pair<RegId, std::string>> objects_{};  // ordered by register
};

enum class ExprStyle { readable, exact };

class ExprPrinter {
 public:
  // Both must outlive the printer.
  ExprPrinter(const Program& program, const Names& names, ExprStyle style)
      : program_(program), names_(names), style_(style) {}

  std::string value(ExprId id) const;      // may need parentheses as an operand
  std::string condition(ExprId id) const;  // same; for where C asks for a truth value
  std::string operand(ExprId id) const;    // binds as tightly as a cast
  std::string lvalue(ExprId address) const;

 private:
  struct Text {
    std::string text{};
    int binding = 0;  // higher binds tighter; see print_expr.cpp
  };

  Text print(ExprId id) const;
  Text print_constant(const Expr& expr) const;
  Text print_pointer_constant(const Expr& expr) const;
  Text print_binary(const Expr& expr) const;
  Text print_overflow(const Expr& expr) const;
  Text print_cast(const Expr& expr) const;
  Text print_integer_cast(const Expr& expr) const;
  Text print_select(const Expr& expr) const;
  Text print_moved(const Expr& expr) const;
  Text print_difference(const Expr& expr) const;
  Text place(ExprId address) const;
  Text index(ExprId array_address, ExprId index) const;
  // The address of the array that this pointer to its first element comes from.
  std::optional<ExprId> decayed(ExprId pointer) const;
  std::string field_name(ExprId field) const;
  std::string index_text(ExprId id) const;
  std::string at_least(const Text& text, int binding) const;
  const Type& type_of(ExprId id) const { return program_.type(program_.expr(id).type); }
  Text cast_to(TypeId type, const Text& inner) const;

  const Program& program_;
  const Names& names_;
  ExprStyle style_;
};

}  // namespace heddle::ir
