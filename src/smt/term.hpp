// Bit-vector terms of 1 to 64 bits, hash-consed and simplified as they are built.
// Truth values are terms of one bit. The meaning of every operator is that of
// ir/arithmetic.hpp, so that C expressions translate one to one.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::smt {

struct Term {
  std::uint32_t id = UINT32_MAX;  // index into Terms; UINT32_MAX: refers to nothing
  constexpr bool valid() const { return id != UINT32_MAX; }
  constexpr auto operator<=>(const Term&) const = default;
};

// clang-format off
enum class TermOp : std::uint8_t {
  constant,  // payload: the value, bits above the width zero
  variable,  // payload: its number
  bit_not, neg,
  bit_and, bit_or, bit_xor,
  add, sub, mul,
  udiv, sdiv, urem, srem,  // by zero: 0; the lowest signed value by -1 wraps
  shl, lshr, ashr,         // both operands have one width, a power of two; amounts modulo it
  eq, ult, ule, slt, sle,  // -> one bit
  sadd_overflows, uadd_overflows, ssub_overflows, usub_overflows, smul_overflows, umul_overflows,  // -> one bit
  ite,                     // one bit, then, else
  extract,                 // payload: the lowest bit taken; the term's width says how many
  concat,                  // high part, low part
  zext, sext,              // to the term's width
};
// clang-format on

struct TermNode {
  TermOp op = TermOp::constant;
  std::uint8_t arity = 0;
  std::uint8_t width = 1;
  std::array<Term, 3> args{};
  std::uint64_t payload = 0;
  bool operator==(const TermNode&) const = default;
  std::span<const Term> operands() const { return {args.data(), arity}; }
};

struct TermNodeHash {
  std::size_t operator()(const TermNode& node) const noexcept;
};

class Terms {
 public:
  Terms();

  const TermNode& node(Term term) const { return nodes_[term.id]; }
  std::uint32_t width(Term term) const { return nodes_[term.id].width; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(Term term) const { return node(term).op == TermOp::constant; }
  std::uint64_t value(Term constant) const { return node(constant).payload; }
  bool is_true(Term term) const { return term == yes_; }
  bool is_false(Term term) const { return term == no_; }

  Term constant(std::uint32_t width, std::uint64_t bits);  // truncated to the width
  Term variable(std::uint32_t width);                      // a new one each time
  Term yes() const { return yes_; }
  Term no() const { return no_; }

  Term unary(TermOp op, Term operand);                // bit_not, neg
  Term binary(TermOp op, Term left, Term right);      // from bit_and to umul_overflows
  Term ite(Term condition, Term then, Term otherwise);
  Term extract(Term term, std::uint32_t low, std::uint32_t width);
  Term concat(Term high, Term low);
  Term zext(Term term, std::uint32_t width);  // the same width: the term itself
  Term sext(Term term, std::uint32_t width);
  // Cuts or extends, as a C conversion to an integer of that width does.
  Term resize_unsigned(Term term, std::uint32_t width);
  Term resize_signed(Term term, std::uint32_t width);

  Term not_(Term truth) { return unary(TermOp::bit_not, truth); }
  Term and_(Term left, Term right) { return binary(TermOp::bit_and, left, right); }
  Term or_(Term left, Term right) { return binary(TermOp::bit_or, left, right); }
  Term implies(Term left, Term right) { return or_(not_(left), right); }
  Term equal(Term left, Term right) { return binary(TermOp::eq, left, right); }

  // The value under an assignment of the variables (by variable term). Not recursive.
  class Evaluator {
   public:
    Evaluator(const Terms& terms, std::function<std::uint64_t(Term variable)> value_of)
        : terms_(terms), value_of_(std::move(value_of)) {}
    std::uint64_t operator()(Term term);

   private:
    const Terms& terms_;
    std::function<std::uint64_t(Term)> value_of_;
    std::vector<std::uint64_t> values_{};
    std::vector<char> known_{};
  };

 private:
  Term intern(TermNode node);

  std::vector<TermNode> nodes_{};
  std::unordered_map<TermNode, Term, TermNodeHash> by_shape_{};
  std::uint64_t variables_ = 0;
  Term yes_{}, no_{};
};

}  // namespace heddle::smt
