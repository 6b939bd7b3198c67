// Bit-vector terms of 1 to 64 bits, hash-consed and simplified as they are built.
// Truth values are terms of one bit. The meaning of every operator is that of
// ir/arithmetic.hpp, so that C expressions translate one to one. Which operator a
// simplified term has at its root is up to the rules. No node has the operators
// bit_or, ule, sle and usub_overflows: others express them.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
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

// Bounds of a term's value, both inclusive, as an unsigned and as a signed number.
struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  std::int64_t signed_low = 0;
  std::int64_t signed_high = 0;
};

class Terms {
 public:
  Terms();

  const TermNode& node(Term term) const { return nodes_[term.id]; }
  std::uint32_t width(Term term) const { return nodes_[term.id].width; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(Term term) const { return node(term).op == TermOp::constant; }
  std::uint64_t value(Term constant) const { return node(constant).payload; }
  const Range& range(Term term) const { return ranges_[term.id]; }  // sound, not exact
  bool is_true(Term term) const { return term == yes_; }
  bool is_false(Term term) const { return term == no_; }

  Term constant(std::uint32_t width, std::uint64_t bits);  // truncated to the width
  Term variable(std::uint32_t width);                      // a new one each time
  Term yes() const { return yes_; }
  Term no() const { return no_; }

  Term unary(TermOp op, Term operand);            // bit_not, neg
  Term binary(TermOp op, Term left, Term right);  // from bit_and to umul_overflows
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

  // The same operator at the same width on other operands, simplified; leaves stay as they are.
  Term rebuild(Term term, std::span<const Term> operands);
  // The value of an operator from those of its operands. Not for variables.
  std::uint64_t apply(Term term, std::span<const std::uint64_t> operands) const;

  // The value under an assignment of the variables (by variable term). Not recursive.
  class Evaluator {
   public:
    Evaluator(const Terms& terms, std::function<std::uint64_t(Term variable)> value_of)
        : terms_(terms), value_of_(std::move(value_of)) {}
    std::uint64_t operator()(Term term);

   private:
    std::uint64_t compute(Term term) const;  // from the values of its operands

    const Terms& terms_;
    std::function<std::uint64_t(Term)> value_of_;
    std::vector<std::uint64_t> values_{};
    std::vector<char> known_{};
  };

 private:
  // One level of rewriting. A rule may call constructors, which apply rules in turn; what one
  // call from outside may cost in total is bounded, and nodes beyond that are built as they are.
  class Rewriting {
   public:
    explicit Rewriting(Terms& terms);
    ~Rewriting();
    Rewriting(const Rewriting&) = delete;
    Rewriting& operator=(const Rewriting&) = delete;
    bool exhausted() const;

   private:
    Terms& terms_;
  };
  // What is known to hold, as a few conjuncts (bit by bit, for terms of several bits).
  struct Facts {
    static constexpr std::size_t capacity = 24;
    std::array<Term, capacity> items{};
    std::size_t count = 0;
  };
  enum class Decision { yes, no, open };
  // What a comparison with a constant says: the unknown lies in start .. start + extent, wrapping
  // around. Neither nothing nor everything.
  struct Interval {
    Term unknown{};
    std::uint64_t start = 0;
    std::uint64_t extent = 0;
  };

  Term intern(const TermNode& node);
  void grow_table();
  Term add_node(const TermNode& node, const Range& range);
  Range range_of_node(const TermNode& node) const;
  Term make(TermOp op, std::uint32_t width, std::initializer_list<Term> args,
            std::uint64_t payload = 0);
  bool has(Term term, TermOp op) const { return node(term).op == op; }
  bool constant_is(Term term, std::uint64_t bits) const;
  bool complements(Term left, Term right) const;  // one is seen to be the other's bit_not
  Term add_constant(Term term, std::uint64_t bits);

  // Choices: trees of ite over constants. Operators move into them.
  static constexpr std::size_t most_leaves = 16;
  std::size_t leaves(Term term) const { return leaves_[term.id]; }  // 0: not a (small) choice
  template <class Function>
  Term map_choice(Term choice, const Function& function);

  // Rules, by the operator at the root. Operands are not both constant, and a constant is the
  // right operand of what commutes.
  std::optional<Term> replace_operator(TermOp op, Term left, Term right);
  Term rewrite_binary(TermOp op, Term left, Term right);
  Term rewrite_one_bit(TermOp op, Term left, Term right);
  Term rewrite_not(Term operand);
  Term rewrite_and(Term left, Term right);
  Term rewrite_and_constant(Term left, Term constant);
  std::optional<Term> resolve(const Facts& facts, Term disjunction);
  std::optional<Term> common_disjunct(Term left, Term right);
  Term rewrite_xor(Term left, Term right);
  void collect_facts(Term truth, std::uint32_t depth, Facts& facts) const;
  Decision decide(const Facts& facts, Term asked, std::uint32_t depth) const;
  std::optional<Interval> interval_of(Term truth) const;
  Decision compare_intervals(const Interval& known, const Interval& asked) const;
  Term rewrite_ite(Term condition, Term then, Term otherwise);
  Term rewrite_ite_truth(Term condition, Term then, Term otherwise);
  Term merge_ite(Term condition, Term then, Term otherwise);
  Term settle_arm(const Facts& facts, Term arm);
  Term rewrite_neg(Term operand);
  Term rewrite_add(Term left, Term right);
  Term rewrite_sub(Term left, Term right);
  Term rewrite_mul(Term left, Term right);
  Term rewrite_division(TermOp op, Term left, Term right);
  Term divide_unsigned_by_power(TermOp op, Term left, std::uint32_t exponent);
  Term divide_signed_by_power(TermOp op, Term left, std::uint32_t exponent);
  Term rewrite_shift(TermOp op, Term left, Term right);
  Term narrow_division(TermOp op, Term left, Term right);
  Term rewrite_overflow(TermOp op, Term left, Term right);
  Decision decide_overflow(TermOp op, Term left, Term right) const;
  Term overflow_of_constant_minus(std::uint64_t left, Term right);
  Term rewrite_eq(Term left, Term right);
  Term rewrite_eq_constant(Term left, Term constant);
  Term rewrite_eq_ite(Term choice, Term other);
  Term rewrite_ult(Term left, Term right);
  Term rewrite_slt(Term left, Term right);
  std::optional<Term> narrow_slt(Term left, Term right);
  std::optional<Term> rewrite_order_ite(TermOp op, Term left, Term right);
  Term rewrite_extract(Term term, std::uint32_t low, std::uint32_t bits);
  std::optional<Term> cut_arithmetic(Term term, std::uint32_t bits);
  Term rewrite_concat(Term high, Term low);

  std::vector<TermNode> nodes_{};
  std::vector<std::uint8_t> leaves_{};
  std::vector<Range> ranges_{};
  std::vector<Term> table_{};  // open addressing by the hash of the node; a power of two
  std::uint64_t variables_ = 0;
  std::uint32_t rewriting_depth_ = 0;
  std::uint32_t rewriting_work_ = 0;
  Term yes_{}, no_{};
};

template <class Function>
Term Terms::map_choice(Term choice, const Function& function) {
  const TermNode shape = node(choice);
  if (shape.op != TermOp::ite) return function(choice);
  const Term then = map_choice(shape.args[1], function);
  const Term otherwise = map_choice(shape.args[2], function);
  return ite(shape.args[0], then, otherwise);
}

}  // namespace heddle::smt
