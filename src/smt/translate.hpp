// C expressions in terms of the operators of bit-vectors: which operator, at which width,
// after which extensions. What the operators compute on is up to an algebra: terms, or the
// abstract values of a domain. Floating-point operators have no bit-vector operator: they are
// computed where their operands are constants, and otherwise the algebra says what becomes
// of them.
#pragma once

#include <concepts>
#include <optional>
#include <vector>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"
#include "ir/program.hpp"
#include "smt/term.hpp"

namespace heddle::smt {

// Values have a width; operands and results have the widths that Terms asks for.
template <class A>
concept Algebra = requires(A& algebra, typename A::Value value, std::uint32_t width,
                           std::uint64_t bits, TermOp op, ir::RegId reg) {
  { algebra.constant(width, bits) } -> std::same_as<typename A::Value>;
  { algebra.constant_of(value) } -> std::same_as<std::optional<std::uint64_t>>;
  { algebra.unary(op, value) } -> std::same_as<typename A::Value>;
  { algebra.binary(op, value, value) } -> std::same_as<typename A::Value>;
  { algebra.ite(value, value, value) } -> std::same_as<typename A::Value>;
  { algebra.resize_unsigned(value, width) } -> std::same_as<typename A::Value>;
  { algebra.resize_signed(value, width) } -> std::same_as<typename A::Value>;
  // The result of a floating-point operator on operands that are not constant; nullopt: there is
  // no value for the whole expression.
  { algebra.opaque(width) } -> std::same_as<std::optional<typename A::Value>>;
  // The leaves.
  { algebra.reg(reg) } -> std::same_as<typename A::Value>;
  { algebra.global(ir::GlobalId{}) } -> std::same_as<std::uint64_t>;
  { algebra.function(ir::FunId{}) } -> std::same_as<std::uint64_t>;
};

inline bool is_real(const ir::Type& type) { return type.kind == ir::TypeKind::floating; }

// Of a binary operator over integers or pointers that is not a shift; ne: eq, to be negated.
TermOp term_op(ir::Op op, const ir::Type& operand);

template <Algebra A>
class Translation {
 public:
  using Value = typename A::Value;

  Translation(const ir::Program& program, A& algebra) : program_(program), algebra_(algebra) {}

  std::optional<Value> operator()(ir::ExprId id);
  // As C converts between scalars.
  std::optional<Value> convert(const ir::Type& source, const ir::Type& target, Value value);

 private:
  std::optional<Value> unary(const ir::Expr& expr);
  std::optional<Value> binary(const ir::Expr& expr);
  std::optional<Value> shift(const ir::Expr& expr);
  std::optional<Value> select(const ir::Expr& expr);
  std::optional<Value> move_pointer(const ir::Expr& expr);
  std::optional<Value> pointer_difference(const ir::Expr& expr);
  std::optional<Value> member(const ir::Expr& expr);
  const ir::Type& type_of(ir::ExprId id) const { return program_.type(program_.expr(id).type); }

  const ir::Program& program_;
  A& algebra_;
};

template <Algebra A>
auto Translation<A>::operator()(ir::ExprId id) -> std::optional<Value> {
  const ir::Expr& expr = program_.expr(id);
  const ir::Type& type = program_.type(expr.type);
  const auto index = static_cast<std::uint32_t>(expr.payload);
  // An algebra may know more of an expression than of its parts.
  if constexpr (requires { algebra_.shortcut(expr); })
    if (const std::optional<Value> value = algebra_.shortcut(expr)) return value;
  switch (expr.op) {
    case ir::Op::constant:
      return algebra_.constant(type.width, expr.payload);
    case ir::Op::reg:
      return algebra_.reg({index});
    case ir::Op::global_address:
      return algebra_.constant(type.width, algebra_.global({index}));
    case ir::Op::function_address:
      return algebra_.constant(type.width, algebra_.function({index}));
    case ir::Op::neg:
    case ir::Op::bit_not:
    case ir::Op::logical_not:
      return unary(expr);
    case ir::Op::shl:
    case ir::Op::shr:
      return shift(expr);
    case ir::Op::cast: {
      const std::optional<Value> inner = (*this)(expr.args[0]);
      if (!inner) return std::nullopt;
      return convert(type_of(expr.args[0]), type, *inner);
    }
    case ir::Op::select:
      return select(expr);
    case ir::Op::ptr_add:
      return move_pointer(expr);
    case ir::Op::ptr_diff:
      return pointer_difference(expr);
    case ir::Op::field:
      return member(expr);
    default:
      return binary(expr);
  }
}

template <Algebra A>
auto Translation<A>::unary(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> operand = (*this)(expr.args[0]);
  if (!operand) return std::nullopt;
  const ir::Type& type = type_of(expr.args[0]);
  if (is_real(type)) {
    const std::optional<std::uint64_t> known = algebra_.constant_of(*operand);
    if (!known) return algebra_.opaque(program_.type(expr.type).width);
    return algebra_.constant(type.width, ir::apply_unary(expr.op, type, *known));
  }
  return algebra_.unary(expr.op == ir::Op::neg ? TermOp::neg : TermOp::bit_not, *operand);
}

template <Algebra A>
auto Translation<A>::binary(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> left = (*this)(expr.args[0]), right = (*this)(expr.args[1]);
  if (!left || !right) return std::nullopt;
  const ir::Type& type = type_of(expr.args[0]);
  if (is_real(type)) {
    const std::uint32_t width = program_.type(expr.type).width;
    const std::optional<std::uint64_t> first = algebra_.constant_of(*left),
                                       second = algebra_.constant_of(*right);
    if (!first || !second) return algebra_.opaque(width);
    return algebra_.constant(width, ir::apply_binary(expr.op, type, *first, *second));
  }
  const Value result = algebra_.binary(term_op(expr.op, type), *left, *right);
  return expr.op == ir::Op::ne ? algebra_.unary(TermOp::bit_not, result) : result;
}

template <Algebra A>
auto Translation<A>::shift(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> value = (*this)(expr.args[0]), amount = (*this)(expr.args[1]);
  if (!value || !amount) return std::nullopt;
  const ir::Type& type = type_of(expr.args[0]);
  // Amounts count modulo the width, so cutting or extending them loses nothing.
  const Value by = algebra_.resize_unsigned(*amount, type.width);
  const TermOp right = type.is_signed ? TermOp::ashr : TermOp::lshr;
  return algebra_.binary(expr.op == ir::Op::shl ? TermOp::shl : right, *value, by);
}

template <Algebra A>
auto Translation<A>::select(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> condition = (*this)(expr.args[0]);
  if (!condition) return std::nullopt;
  if (const std::optional<std::uint64_t> known = algebra_.constant_of(*condition))
    return (*this)(*known != 0 ? expr.args[1] : expr.args[2]);
  const std::optional<Value> then = (*this)(expr.args[1]), otherwise = (*this)(expr.args[2]);
  if (!then || !otherwise) return std::nullopt;
  return algebra_.ite(*condition, *then, *otherwise);
}

template <Algebra A>
auto Translation<A>::move_pointer(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> pointer = (*this)(expr.args[0]), index = (*this)(expr.args[1]);
  if (!pointer || !index) return std::nullopt;
  const ir::Type& type = program_.type(expr.type);
  const Value wide = type_of(expr.args[1]).is_signed ? algebra_.resize_signed(*index, type.width)
                                                     : algebra_.resize_unsigned(*index, type.width);
  const Value size = algebra_.constant(type.width, program_.type(type.element).size);
  return algebra_.binary(TermOp::add, *pointer, algebra_.binary(TermOp::mul, wide, size));
}

template <Algebra A>
auto Translation<A>::pointer_difference(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> left = (*this)(expr.args[0]), right = (*this)(expr.args[1]);
  if (!left || !right) return std::nullopt;
  const ir::Type& pointer = type_of(expr.args[0]);
  const std::uint64_t size = program_.type(pointer.element).size;
  const std::uint32_t width = program_.type(expr.type).width;
  if (size == 0) return algebra_.constant(width, 0);
  const Value bytes = algebra_.binary(TermOp::sub, *left, *right);
  const Value elements =
      algebra_.binary(TermOp::sdiv, bytes, algebra_.constant(pointer.width, size));
  return algebra_.resize_signed(elements, width);
}

template <Algebra A>
auto Translation<A>::member(const ir::Expr& expr) -> std::optional<Value> {
  const std::optional<Value> record = (*this)(expr.args[0]);
  if (!record) return std::nullopt;
  const ir::Type& layout = program_.type(type_of(expr.args[0]).element);
  return algebra_.binary(
      TermOp::add, *record,
      algebra_.constant(program_.type(expr.type).width, layout.fields[expr.payload].offset));
}

template <Algebra A>
auto Translation<A>::convert(const ir::Type& source, const ir::Type& target, Value value)
    -> std::optional<Value> {
  if (const std::optional<std::uint64_t> known = algebra_.constant_of(value))
    return algebra_.constant(target.width, ir::convert(source, target, *known));
  if (is_real(source) || is_real(target)) {
    if (is_real(source) && is_real(target) && source.width == target.width) return value;
    return algebra_.opaque(target.width);
  }
  if (target.kind == ir::TypeKind::boolean)
    return algebra_.unary(TermOp::bit_not,
                          algebra_.binary(TermOp::eq, value, algebra_.constant(source.width, 0)));
  return source.is_signed ? algebra_.resize_signed(value, target.width)
                          : algebra_.resize_unsigned(value, target.width);
}

// Terms themselves as an algebra, but for the leaves.
class TermAlgebra {
 public:
  using Value = Term;

  explicit TermAlgebra(Terms& terms) : terms_(terms) {}

  Term constant(std::uint32_t width, std::uint64_t bits) { return terms_.constant(width, bits); }
  std::optional<std::uint64_t> constant_of(Term term) const {
    if (!terms_.is_constant(term)) return std::nullopt;
    return terms_.value(term);
  }
  Term unary(TermOp op, Term operand) { return terms_.unary(op, operand); }
  Term binary(TermOp op, Term left, Term right) { return terms_.binary(op, left, right); }
  Term ite(Term condition, Term then, Term otherwise) {
    return terms_.ite(condition, then, otherwise);
  }
  Term resize_unsigned(Term term, std::uint32_t width) {
    return terms_.resize_unsigned(term, width);
  }
  Term resize_signed(Term term, std::uint32_t width) { return terms_.resize_signed(term, width); }
  Term extract(Term term, std::uint32_t low, std::uint32_t width) {
    return terms_.extract(term, low, width);
  }
  std::uint32_t width(Term term) const { return terms_.width(term); }

 protected:
  Terms& terms_;
};

// Addresses of the objects that an expression may name.
class Addresses {
 public:
  virtual ~Addresses() = default;
  virtual std::uint64_t global(ir::GlobalId id) = 0;
  virtual std::uint64_t function(ir::FunId id) = 0;
};

// Terms of expressions, under the given values of a frame's registers.
class Translator {
 public:
  Translator(const ir::Program& program, Terms& terms, Addresses& addresses,
             const std::vector<Term>& registers)
      : program_(program), algebra_(program, terms, addresses, registers) {}

  // nullopt: floating-point arithmetic on values that are not constant.
  std::optional<Term> operator()(ir::ExprId id);
  std::optional<Term> convert(ir::TypeId from, ir::TypeId to, Term value);

 private:
  class Frame : public TermAlgebra {
   public:
    Frame(const ir::Program& program, Terms& terms, Addresses& addresses,
          const std::vector<Term>& registers)
        : TermAlgebra(terms), program_(program), addresses_(addresses), registers_(registers) {}
    static std::optional<Term> opaque(std::uint32_t) { return std::nullopt; }
    Term reg(ir::RegId id) const { return registers_[program_.reg(id).index]; }
    std::uint64_t global(ir::GlobalId id) const { return addresses_.global(id); }
    std::uint64_t function(ir::FunId id) const { return addresses_.function(id); }

   private:
    const ir::Program& program_;
    Addresses& addresses_;
    const std::vector<Term>& registers_;
  };

  const ir::Program& program_;
  Frame algebra_;
};

}  // namespace heddle::smt
