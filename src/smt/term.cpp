// Building terms: constants are folded, operators move into choices among constants,
// the rules of simplify*.cpp are applied, and equal nodes are shared.
#include "smt/term.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "smt/fold.hpp"
#include "smt/range.hpp"

namespace heddle::smt {
namespace {

constexpr std::uint32_t most_depth = 40;
constexpr std::uint32_t most_work = 600;

std::uint64_t hash_of(const TermNode& node) {
  std::uint64_t hash = (static_cast<std::uint64_t>(node.op) << 16) |
                       (static_cast<std::uint64_t>(node.arity) << 8) | node.width;
  hash = base::combine(hash, node.payload);
  for (const Term arg : node.operands()) hash = base::combine(hash, arg.id);
  return hash;
}

}  // namespace

Terms::Rewriting::Rewriting(Terms& terms) : terms_(terms) {
  ++terms_.rewriting_depth_;
  ++terms_.rewriting_work_;
}

Terms::Rewriting::~Rewriting() {
  if (--terms_.rewriting_depth_ == 0) terms_.rewriting_work_ = 0;
}

bool Terms::Rewriting::exhausted() const {
  return terms_.rewriting_depth_ > most_depth || terms_.rewriting_work_ > most_work;
}

Terms::Terms() {
  no_ = constant(1, 0);
  yes_ = constant(1, 1);
}

Term Terms::intern(const TermNode& node) {
  if (2 * nodes_.size() >= table_.size()) grow_table();
  const std::size_t last = table_.size() - 1;
  std::size_t slot = hash_of(node) & last;
  for (; table_[slot].valid(); slot = (slot + 1) & last)
    if (nodes_[table_[slot].id] == node) return table_[slot];
  const Range range = range_of_node(node);
  // A value that its bounds determine is a constant, whatever it is computed from.
  if (range.low == range.high && node.op != TermOp::constant)
    return constant(node.width, range.low);
  return table_[slot] = add_node(node, range);
}

void Terms::grow_table() {
  table_.assign(std::max<std::size_t>(1024, 2 * table_.size()), Term{});
  const std::size_t last = table_.size() - 1;
  for (std::uint32_t id = 0; id < nodes_.size(); ++id) {
    std::size_t slot = hash_of(nodes_[id]) & last;
    while (table_[slot].valid()) slot = (slot + 1) & last;
    table_[slot] = {id};
  }
}

Term Terms::add_node(const TermNode& node, const Range& range) {
  const Term added{static_cast<std::uint32_t>(nodes_.size())};
  CHECK(added.valid(), "terms are numbered in 32 bits");
  std::size_t count = node.op == TermOp::constant ? 1 : 0;
  if (node.op == TermOp::ite && leaves(node.args[1]) != 0 && leaves(node.args[2]) != 0)
    count = leaves(node.args[1]) + leaves(node.args[2]);
  leaves_.push_back(static_cast<std::uint8_t>(count > most_leaves ? 0 : count));
  ranges_.push_back(range);
  nodes_.push_back(node);
  return added;
}

Range Terms::range_of_node(const TermNode& node) const {
  std::array<Range, 3> operands;
  for (std::size_t i = 0; i < node.arity; ++i) operands[i] = range(node.args[i]);
  return range_of(node, node.arity == 0 ? node.width : width(node.args[0]), operands);
}

Term Terms::make(TermOp op, std::uint32_t width, std::initializer_list<Term> args,
                 std::uint64_t payload) {
  TermNode node;
  node.op = op;
  node.arity = static_cast<std::uint8_t>(args.size());
  node.width = static_cast<std::uint8_t>(width);
  std::copy(args.begin(), args.end(), node.args.begin());
  node.payload = payload;
  if (is_commutative(op) && !is_constant(node.args[1]) &&
      (is_constant(node.args[0]) || node.args[1] < node.args[0]))
    std::swap(node.args[0], node.args[1]);
  return intern(node);
}

bool Terms::constant_is(Term term, std::uint64_t bits) const {
  return is_constant(term) && value(term) == bits;
}

bool Terms::complements(Term left, Term right) const {
  const TermNode &a = node(left), &b = node(right);
  if (a.op == TermOp::bit_not && a.args[0] == right) return true;
  if (b.op == TermOp::bit_not && b.args[0] == left) return true;
  return a.op == TermOp::constant && b.op == TermOp::constant && a.width == b.width &&
         a.payload == (~b.payload & mask_of(b.width));
}

Term Terms::constant(std::uint32_t width, std::uint64_t bits) {
  CHECK(width >= 1 && width <= 64, "terms have 1 to 64 bits");
  return make(TermOp::constant, width, {}, bits & mask_of(width));
}

Term Terms::variable(std::uint32_t width) {
  CHECK(width >= 1 && width <= 64, "terms have 1 to 64 bits");
  return make(TermOp::variable, width, {}, variables_++);
}

Term Terms::unary(TermOp op, Term operand) {
  const std::uint32_t bits = width(operand);
  if (leaves(operand) != 0)
    return map_choice(operand,
                      [&](Term leaf) { return constant(bits, fold_unary(op, bits, value(leaf))); });
  const Rewriting rewriting(*this);
  if (rewriting.exhausted()) return make(op, bits, {operand});
  CHECK(op == TermOp::bit_not || op == TermOp::neg, "terms have no other unary operator");
  return op == TermOp::bit_not ? rewrite_not(operand) : rewrite_neg(operand);
}

Term Terms::binary(TermOp op, Term left, Term right) {
  const std::uint32_t bits = width(left);
  const std::uint32_t result = gives_truth(op) ? 1 : bits;
  CHECK(bits == width(right), "both operands of a term have one width");
  const bool shifts = op == TermOp::shl || op == TermOp::lshr || op == TermOp::ashr;
  CHECK(!shifts || std::has_single_bit(bits), "shifts are of widths that are powers of two");
  if (is_constant(left) && is_constant(right))
    return constant(result, fold_binary(op, bits, value(left), value(right)));
  if (const std::optional<Term> other = replace_operator(op, left, right)) return *other;
  const Rewriting rewriting(*this);
  if (rewriting.exhausted()) return make(op, result, {left, right});
  const std::size_t cases = leaves(left) * leaves(right);
  if (cases != 0 && cases <= most_leaves)
    return map_choice(left, [&](Term first) {
      return map_choice(right, [&](Term second) { return binary(op, first, second); });
    });
  if (is_commutative(op) && is_constant(left)) std::swap(left, right);
  return bits == 1 ? rewrite_one_bit(op, left, right) : rewrite_binary(op, left, right);
}

// Operators that others express: no node has them.
std::optional<Term> Terms::replace_operator(TermOp op, Term left, Term right) {
  switch (op) {
    case TermOp::bit_or:
      return not_(and_(not_(left), not_(right)));
    case TermOp::ule:
      return not_(binary(TermOp::ult, right, left));
    case TermOp::sle:
      return not_(binary(TermOp::slt, right, left));
    case TermOp::usub_overflows:
      return binary(TermOp::ult, left, right);
    default:
      return std::nullopt;
  }
}

Term Terms::rewrite_binary(TermOp op, Term left, Term right) {
  switch (op) {
    case TermOp::bit_and:
      return rewrite_and(left, right);
    case TermOp::bit_xor:
      return rewrite_xor(left, right);
    case TermOp::add:
      return rewrite_add(left, right);
    case TermOp::sub:
      return rewrite_sub(left, right);
    case TermOp::mul:
      return rewrite_mul(left, right);
    case TermOp::udiv:
    case TermOp::sdiv:
    case TermOp::urem:
    case TermOp::srem:
      return rewrite_division(op, left, right);
    case TermOp::shl:
    case TermOp::lshr:
    case TermOp::ashr:
      return rewrite_shift(op, left, right);
    case TermOp::eq:
      return rewrite_eq(left, right);
    case TermOp::ult:
      return rewrite_ult(left, right);
    case TermOp::slt:
      return rewrite_slt(left, right);
    default:
      return rewrite_overflow(op, left, right);
  }
}

// In one bit, signed or not, everything is a matter of and, xor and not.
Term Terms::rewrite_one_bit(TermOp op, Term left, Term right) {
  switch (op) {
    case TermOp::add:
    case TermOp::sub:
      return binary(TermOp::bit_xor, left, right);
    case TermOp::mul:
    case TermOp::udiv:
    case TermOp::sdiv:
    case TermOp::uadd_overflows:
    case TermOp::sadd_overflows:
    case TermOp::smul_overflows:
      return and_(left, right);
    case TermOp::urem:
    case TermOp::srem:
    case TermOp::umul_overflows:
      return no_;
    case TermOp::shl:
    case TermOp::lshr:
    case TermOp::ashr:
      return left;
    case TermOp::eq:
      return not_(binary(TermOp::bit_xor, left, right));
    case TermOp::ult:
    case TermOp::ssub_overflows:
      return and_(not_(left), right);
    case TermOp::slt:
      return and_(left, not_(right));
    default:
      return rewrite_binary(op, left, right);
  }
}

Term Terms::ite(Term condition, Term then, Term otherwise) {
  CHECK(width(condition) == 1, "a condition is a truth value");
  CHECK(width(then) == width(otherwise), "both arms have one width");
  if (is_constant(condition)) return is_true(condition) ? then : otherwise;
  if (then == otherwise) return then;
  if (has(condition, TermOp::bit_not)) {
    condition = node(condition).args[0];
    std::swap(then, otherwise);
  }
  const Rewriting rewriting(*this);
  if (rewriting.exhausted()) return make(TermOp::ite, width(then), {condition, then, otherwise});
  return rewrite_ite(condition, then, otherwise);
}

Term Terms::resize_unsigned(Term term, std::uint32_t width) {
  return width < this->width(term) ? extract(term, 0, width) : zext(term, width);
}

Term Terms::resize_signed(Term term, std::uint32_t width) {
  return width < this->width(term) ? extract(term, 0, width) : sext(term, width);
}

std::uint64_t Terms::Evaluator::operator()(Term term) {
  values_.resize(terms_.size());
  known_.resize(terms_.size());
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term current = open.back();
    const TermNode& shape = terms_.node(current);
    bool ready = true;
    if (known_[current.id] == 0)
      for (const Term arg : shape.operands())
        if (known_[arg.id] == 0) {
          open.push_back(arg);
          ready = false;
        }
    if (!ready) continue;
    open.pop_back();
    if (known_[current.id] != 0) continue;
    values_[current.id] = compute(current);
    known_[current.id] = 1;
  }
  return values_[term.id];
}

std::uint64_t Terms::Evaluator::compute(Term term) const {
  const TermNode& shape = terms_.node(term);
  if (shape.op == TermOp::variable) return value_of_(term) & mask_of(shape.width);
  std::array<std::uint64_t, 3> operands{};
  for (std::size_t i = 0; i < shape.arity; ++i) operands[i] = values_[shape.args[i].id];
  return terms_.apply(term, operands);
}

std::uint64_t Terms::apply(Term term, std::span<const std::uint64_t> operands) const {
  const TermNode& shape = node(term);
  const std::uint32_t operand_width = shape.arity == 0 ? 0 : width(shape.args[0]);
  switch (shape.op) {
    case TermOp::constant:
      return shape.payload;
    case TermOp::variable:
      CHECK(false, "a variable's value is not computed");
      return 0;
    case TermOp::bit_not:
    case TermOp::neg:
      return fold_unary(shape.op, operand_width, operands[0]);
    case TermOp::ite:
      return operands[0] != 0 ? operands[1] : operands[2];
    case TermOp::extract:
      return (operands[0] >> shape.payload) & mask_of(shape.width);
    case TermOp::concat:
      return (operands[0] << width(shape.args[1])) | operands[1];
    case TermOp::zext:
      return operands[0];
    case TermOp::sext:
      return static_cast<std::uint64_t>(signed_value(operand_width, operands[0])) &
             mask_of(shape.width);
    default:
      return fold_binary(shape.op, operand_width, operands[0], operands[1]);
  }
}

Term Terms::rebuild(Term term, std::span<const Term> operands) {
  const TermNode shape = node(term);
  switch (shape.op) {
    case TermOp::constant:
    case TermOp::variable:
      return term;
    case TermOp::bit_not:
    case TermOp::neg:
      return unary(shape.op, operands[0]);
    case TermOp::ite:
      return ite(operands[0], operands[1], operands[2]);
    case TermOp::extract:
      return extract(operands[0], static_cast<std::uint32_t>(shape.payload), shape.width);
    case TermOp::concat:
      return concat(operands[0], operands[1]);
    case TermOp::zext:
      return zext(operands[0], shape.width);
    case TermOp::sext:
      return sext(operands[0], shape.width);
    default:
      return binary(shape.op, operands[0], operands[1]);
  }
}

}  // namespace heddle::smt
