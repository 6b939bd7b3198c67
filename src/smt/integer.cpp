#include "smt/integer.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace heddle::smt {
namespace {

Wide floor_quotient(Wide number, Wide divisor) {
  const Wide rounded = number / divisor;
  return number % divisor < 0 ? rounded - 1 : rounded;
}

}  // namespace

Integers::Integers() {
  no_ = make(IntegerOp::no, {});
  yes_ = make(IntegerOp::yes, {});
}

std::size_t Integers::Hash::operator()(const IntegerNode& node) const {
  std::uint64_t seed =
      base::combine(static_cast<std::uint64_t>(node.op), static_cast<std::uint64_t>(node.payload));
  seed = base::combine(seed, static_cast<std::uint64_t>(node.payload >> 64));
  for (const Integer operand : node.operands()) seed = base::combine(seed, operand.id);
  return seed;
}

Integer Integers::make(IntegerOp op, std::initializer_list<Integer> args, Wide payload) {
  IntegerNode node;
  node.op = op;
  node.arity = static_cast<std::uint8_t>(args.size());
  std::copy(args.begin(), args.end(), node.args.begin());
  node.payload = payload;
  const auto [at, is_new] = known_.try_emplace(node, Integer{});
  if (is_new) {
    at->second = {static_cast<std::uint32_t>(nodes_.size())};
    nodes_.push_back(node);
  }
  return at->second;
}

Integer Integers::constant(Wide value) { return make(IntegerOp::constant, {}, value); }

Integer Integers::variable() {
  return make(IntegerOp::variable, {}, static_cast<Wide>(variables_++));
}

Integers::Shifted Integers::shifted(Integer number) const {
  const IntegerNode& shape = node(number);
  if (shape.op == IntegerOp::constant) return {{}, shape.payload};
  if (shape.op == IntegerOp::add && is_constant(shape.args[1]))
    return {shape.args[0], value(shape.args[1])};
  return {number, 0};
}

// A constant summand stands alone on the right.
Integer Integers::add(Integer left, Integer right) {
  const Shifted a = shifted(left), b = shifted(right);
  const Wide offset = a.offset + b.offset;
  if (!a.base.valid() && !b.base.valid()) return constant(offset);
  Integer sum = a.base.valid() ? a.base : b.base;
  if (a.base.valid() && b.base.valid()) {
    const auto opposite = [&](Integer x, Integer y) {
      const IntegerNode& shape = node(x);
      return shape.op == IntegerOp::scale && shape.payload == -1 && shape.args[0] == y;
    };
    if (opposite(a.base, b.base) || opposite(b.base, a.base)) return constant(offset);
    sum = make(IntegerOp::add, {std::min(a.base, b.base), std::max(a.base, b.base)});
  }
  return offset == 0 ? sum : make(IntegerOp::add, {sum, constant(offset)});
}

Integer Integers::scale(Integer number, Wide factor) {
  if (factor == 0) return constant(0);
  if (factor == 1) return number;
  const IntegerNode shape = node(number);
  if (shape.op == IntegerOp::constant) return constant(shape.payload * factor);
  if (shape.op == IntegerOp::scale) return scale(shape.args[0], shape.payload * factor);
  if (shape.op == IntegerOp::add)
    return add(scale(shape.args[0], factor), scale(shape.args[1], factor));
  if (chooses_constants(number))
    return choose(shape.args[0], scale(shape.args[1], factor), scale(shape.args[2], factor));
  return make(IntegerOp::scale, {number}, factor);
}

Integer Integers::quotient(Integer number, Wide divisor) {
  CHECK(divisor > 0, "division rounds down by a positive number");
  if (divisor == 1) return number;
  if (is_constant(number)) return constant(floor_quotient(value(number), divisor));
  return make(IntegerOp::quotient, {number}, divisor);
}

Integer Integers::remainder(Integer number, Wide divisor) {
  CHECK(divisor > 0, "remainders are those of a positive divisor");
  if (divisor == 1) return constant(0);
  if (is_constant(number))
    return constant(value(number) - floor_quotient(value(number), divisor) * divisor);
  return make(IntegerOp::remainder, {number}, divisor);
}

Integer Integers::choose(Integer truth, Integer then, Integer otherwise) {
  if (is_yes(truth) || then == otherwise) return then;
  if (is_no(truth)) return otherwise;
  const IntegerNode& shape = node(truth);
  if (shape.op == IntegerOp::negation) return choose(shape.args[0], otherwise, then);
  return make(IntegerOp::choose, {truth, then, otherwise});
}

bool Integers::chooses_constants(Integer number) const {
  const IntegerNode& shape = node(number);
  return shape.op == IntegerOp::choose && is_constant(shape.args[1]) && is_constant(shape.args[2]);
}

Integer Integers::negation(Integer truth) {
  if (is_yes(truth)) return no_;
  if (is_no(truth)) return yes_;
  const IntegerNode& shape = node(truth);
  if (shape.op == IntegerOp::negation) return shape.args[0];
  return make(IntegerOp::negation, {truth});
}

Integer Integers::both(Integer left, Integer right) {
  if (is_no(left) || is_no(right)) return no_;
  if (is_yes(left) || left == right) return right;
  if (is_yes(right)) return left;
  if (negation(left) == right) return no_;
  return make(IntegerOp::both, {std::min(left, right), std::max(left, right)});
}

Integer Integers::either(Integer left, Integer right) {
  if (is_yes(left) || is_yes(right)) return yes_;
  if (is_no(left) || left == right) return right;
  if (is_no(right)) return left;
  if (negation(left) == right) return yes_;
  return make(IntegerOp::either, {std::min(left, right), std::max(left, right)});
}

namespace {

// A truth that is one thing where a condition holds and another where not, both known.
Integer decided(Integers& integers, Integer condition, Integer then, Integer otherwise) {
  return integers.either(integers.both(condition, then),
                         integers.both(integers.negation(condition), otherwise));
}

}  // namespace

Integer Integers::at_most(Integer left, Integer right) {
  const Shifted a = shifted(left), b = shifted(right);
  if (a.base == b.base) return a.offset <= b.offset ? yes_ : no_;
  const IntegerNode first = node(left), second = node(right);
  if (chooses_constants(left) && is_constant(right))
    return decided(*this, first.args[0], at_most(first.args[1], right),
                   at_most(first.args[2], right));
  if (chooses_constants(right) && is_constant(left))
    return decided(*this, second.args[0], at_most(left, second.args[1]),
                   at_most(left, second.args[2]));
  return make(IntegerOp::at_most, {left, right});
}

Integer Integers::equal(Integer left, Integer right) {
  const Shifted a = shifted(left), b = shifted(right);
  if (a.base == b.base) return a.offset == b.offset ? yes_ : no_;
  if (is_constant(left)) std::swap(left, right);
  const IntegerNode first = node(left);
  if (chooses_constants(left) && is_constant(right))
    return decided(*this, first.args[0], equal(first.args[1], right), equal(first.args[2], right));
  if (!is_constant(right) && right < left) std::swap(left, right);
  return make(IntegerOp::equal, {left, right});
}

// ---- walks -----------------------------------------------------------------------

Integer Integers::rebuild(const IntegerNode& node, const std::array<Integer, 3>& args) {
  switch (node.op) {
    case IntegerOp::constant:
    case IntegerOp::variable:
    case IntegerOp::yes:
    case IntegerOp::no:
      break;
    case IntegerOp::add:
      return add(args[0], args[1]);
    case IntegerOp::scale:
      return scale(args[0], node.payload);
    case IntegerOp::quotient:
      return quotient(args[0], node.payload);
    case IntegerOp::remainder:
      return remainder(args[0], node.payload);
    case IntegerOp::choose:
      return choose(args[0], args[1], args[2]);
    case IntegerOp::negation:
      return negation(args[0]);
    case IntegerOp::both:
      return both(args[0], args[1]);
    case IntegerOp::either:
      return either(args[0], args[1]);
    case IntegerOp::at_most:
      return at_most(args[0], args[1]);
    case IntegerOp::equal:
      return equal(args[0], args[1]);
  }
  return make(node.op, {}, node.payload);
}

Integer Integers::replace(Integer in, Integer variable, Integer by,
                          std::map<Integer, Integer>& known) {
  known[variable] = by;
  std::vector<Integer> todo{in};
  while (!todo.empty()) {
    const Integer at = todo.back();
    const IntegerNode shape = node(at);
    const std::size_t before = todo.size();
    for (const Integer operand : shape.operands())
      if (!known.contains(operand)) todo.push_back(operand);
    if (todo.size() > before) continue;
    todo.pop_back();
    if (known.contains(at)) continue;
    std::array<Integer, 3> args{};
    for (std::size_t i = 0; i < shape.arity; ++i) args[i] = known.at(shape.args[i]);
    known[at] = rebuild(shape, args);
  }
  return known.at(in);
}

void Integers::collect_variables(Integer in, std::vector<Integer>& variables,
                                 std::unordered_set<std::uint32_t>& seen) const {
  std::vector<Integer> todo{in};
  while (!todo.empty()) {
    const Integer at = todo.back();
    todo.pop_back();
    if (!seen.insert(at.id).second) continue;
    if (node(at).op == IntegerOp::variable) variables.push_back(at);
    for (const Integer operand : node(at).operands()) todo.push_back(operand);
  }
}

}  // namespace heddle::smt
