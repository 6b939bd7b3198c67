// C expressions as terms, under given register values. Floating-point operators have
// no term: they are computed where their operands are constants, and otherwise the
// translation says that there is none.
#pragma once

#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "smt/term.hpp"

namespace heddle::engine::bmc {

using smt::Term;

// Addresses of the objects that an expression may name.
class Addresses {
 public:
  virtual ~Addresses() = default;
  virtual std::uint64_t global(ir::GlobalId id) = 0;
  virtual std::uint64_t function(ir::FunId id) = 0;
};

class Translator {
 public:
  Translator(const ir::Program& program, smt::Terms& terms, Addresses& addresses,
             const std::vector<Term>& registers)
      : program_(program), terms_(terms), addresses_(addresses), registers_(registers) {}

  // nullopt: floating-point arithmetic on values that are not constant.
  std::optional<Term> operator()(ir::ExprId id);
  // As C converts between scalars.
  std::optional<Term> convert(ir::TypeId from, ir::TypeId to, Term value);

 private:
  std::optional<Term> binary(const ir::Expr& expr);
  std::optional<Term> move_pointer(const ir::Expr& expr);
  std::optional<Term> pointer_difference(const ir::Expr& expr);
  std::optional<Term> unary(const ir::Expr& expr);
  std::optional<Term> shift(const ir::Expr& expr);
  const ir::Type& type_of(ir::ExprId id) const { return program_.type(program_.expr(id).type); }

  const ir::Program& program_;
  smt::Terms& terms_;
  Addresses& addresses_;
  const std::vector<Term>& registers_;
};

}  // namespace heddle::engine::bmc
