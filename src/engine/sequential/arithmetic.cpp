#include "engine/sequential/arithmetic.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"

namespace heddle::engine::sequential {
namespace {

// Products of constants beyond are not computed: they might leave 128 bits.
constexpr Wide largest_factor = Wide{1} << 40;

std::uint64_t bits_of(Wide value) { return static_cast<std::uint64_t>(value); }

bool is_truth(const Value& value) { return value.low >= 0 && value.high <= 1; }

}  // namespace

Shape shape_of(const ir::Type& type) {
  return {type.width, type.kind == ir::TypeKind::integer && type.is_signed};
}

Value Arithmetic::constant(Wide value) { return {integers_.constant(value), value, value, false}; }

Value Arithmetic::bounded(Wide low, Wide high) {
  if (low == high) return constant(low);
  const Integer variable = integers_.variable();
  ranges_[variable] = {low, high};
  return {variable, low, high, false};
}

Value Arithmetic::any(Shape shape) { return bounded(shape.low(), shape.high()); }

Value Arithmetic::of_truth(Integer truth) {
  const Wide low = integers_.is_yes(truth) ? 1 : 0, high = integers_.is_no(truth) ? 0 : 1;
  return {integers_.choose(truth, integers_.constant(1), integers_.constant(0)), low, high, false};
}

Integer Arithmetic::truth(const Value& value) {
  if (value.low > 0 || value.high < 0) return integers_.yes();
  return integers_.negation(integers_.equal(value.expr, integers_.constant(0)));
}

Value Arithmetic::choose(Integer truth, const Value& then, const Value& otherwise) {
  if (integers_.is_yes(truth)) return then;
  if (integers_.is_no(truth)) return otherwise;
  return {integers_.choose(truth, then.expr, otherwise.expr), std::min(then.low, otherwise.low),
          std::max(then.high, otherwise.high), then.computed || otherwise.computed};
}

Integer Arithmetic::equal(const Value& left, const Value& right) {
  if (left.high < right.low || right.high < left.low) return integers_.no();
  const auto a = integers_.shifted(left.expr), b = integers_.shifted(right.expr);
  const auto inside = [&](const smt::Integers::Shifted& place) {
    const auto size = bases_.find(place.base);
    return size != bases_.end() && place.offset >= 0 &&
           place.offset < static_cast<Wide>(std::max<std::uint64_t>(1, size->second));
  };
  if (a.base != b.base && a.base.valid() && b.base.valid() && inside(a) && inside(b))
    return integers_.no();  // live objects are apart
  return integers_.equal(left.expr, right.expr);
}

Value Arithmetic::fit(Integer exact, Wide low, Wide high, Shape shape) {
  const Wide least = shape.low(), most = shape.high();
  const bool computed = integers_.is_constant(exact);
  if (low >= least && high <= most) return {exact, low, high, computed};
  const Wide span = Wide{1} << shape.width;
  if (computed) {
    Wide value = integers_.value(exact) % span;
    if (value < least) value += span;
    if (value > most) value -= span;
    return {integers_.constant(value), value, value, true};
  }
  const Integer fits = integers_.both(integers_.at_most(integers_.constant(least), exact),
                                      integers_.at_most(exact, integers_.constant(most)));
  if (wrapping_ == Wrapping::any_value)
    return {integers_.choose(fits, exact, any(shape).expr), least, most, false};
  const bool once = low >= least - span && high <= most + span;
  Integer wrapped{};
  if (once) {
    const Integer down = integers_.add(exact, integers_.constant(-span));
    const Integer up = integers_.add(exact, integers_.constant(span));
    const Integer above = integers_.less(integers_.constant(most), exact);
    wrapped = integers_.choose(fits, exact, integers_.choose(above, down, up));
  } else {
    const Integer moved = integers_.add(exact, integers_.constant(-least));
    wrapped = integers_.add(integers_.remainder(moved, span), integers_.constant(least));
  }
  return {wrapped, least, most, false};
}

Value Arithmetic::convert(const Value& value, Shape to) {
  const Wide least = to.low(), most = to.high(), span = Wide{1} << to.width;
  if (value.low >= least && value.high <= most) return value;
  if (is_constant(value)) {
    Value result = fit(value.expr, value.low, value.high, to);
    result.computed = value.computed;
    return result;
  }
  const auto at = [&](Wide number) { return integers_.constant(number); };
  if (value.low >= least - span && value.high <= most + span) {
    Integer result = value.expr;
    if (value.high > most)
      result = integers_.choose(integers_.less(at(most), value.expr),
                                integers_.add(value.expr, at(-span)), result);
    if (value.low < least)
      result = integers_.choose(integers_.less(value.expr, at(least)),
                                integers_.add(value.expr, at(span)), result);
    return {result, least, most, value.computed};
  }
  const Integer moved = integers_.add(value.expr, at(-least));
  return {integers_.add(integers_.remainder(moved, span), at(least)), least, most, value.computed};
}

Value Arithmetic::add(const Value& left, const Value& right, Shape shape) {
  return fit(integers_.add(left.expr, right.expr), left.low + right.low, left.high + right.high,
             shape);
}

Value Arithmetic::subtract(const Value& left, const Value& right, Shape shape) {
  return fit(integers_.subtract(left.expr, right.expr), left.low - right.high,
             left.high - right.low, shape);
}

Value Arithmetic::multiply(const Value& left, const Value& right, Shape shape) {
  if (!is_constant(left) && !is_constant(right)) return any(shape);
  const Value& factor = is_constant(left) ? left : right;
  const Value& other = is_constant(left) ? right : left;
  const Wide by = factor.low;
  if (by > largest_factor || by < -largest_factor) return any(shape);
  const auto [low, high] = std::minmax({other.low * by, other.high * by});
  return fit(integers_.scale(other.expr, by), low, high, shape);
}

// C rounds towards zero; by a constant alone.
Value Arithmetic::divide(ir::Op op, const Value& left, const Value& right, Shape shape) {
  const Wide by = right.low;
  if (!is_constant(right) || by <= 0) return any(shape);
  const Integer zero = integers_.constant(0);
  const Integer is_negative = integers_.less(left.expr, zero);
  const auto either_sign = [&](const auto& of) {
    const Integer minus = integers_.scale(of(integers_.scale(left.expr, -1)), -1);
    if (left.low >= 0) return of(left.expr);
    return integers_.choose(is_negative, minus, of(left.expr));
  };
  if (op == ir::Op::div)
    return {either_sign([&](Integer x) { return integers_.quotient(x, by); }),
            left.low < 0 ? left.low / by : 0, std::max<Wide>(left.high / by, 0), false};
  return {either_sign([&](Integer x) { return integers_.remainder(x, by); }),
          left.low < 0 ? -(by - 1) : 0, left.high > 0 ? by - 1 : 0, false};
}

Value Arithmetic::shift(ir::Op op, const Value& left, const Value& right, Shape shape) {
  if (!is_constant(right) || right.low < 0 || right.low >= shape.width || right.low > 62)
    return any(shape);
  const Wide power = Wide{1} << static_cast<int>(right.low);
  if (op == ir::Op::shl) return multiply(left, constant(power), shape);
  const auto down = [&](Wide x) {
    return integers_.value(integers_.quotient(integers_.constant(x), power));
  };
  return {integers_.quotient(left.expr, power), down(left.low), down(left.high), false};
}

Value Arithmetic::bitwise(ir::Op op, const Value& left, const Value& right, Shape shape) {
  if (is_constant(left) && is_constant(right)) {
    const std::uint64_t a = bits_of(left.low), b = bits_of(right.low);
    const std::uint64_t bits = op == ir::Op::bit_and ? a & b : op == ir::Op::bit_or ? a | b : a ^ b;
    const Wide cut = static_cast<Wide>(bits) & ((Wide{1} << shape.width) - 1);
    Value result = convert(constant(cut), shape);
    result.computed = true;
    return result;
  }
  if (is_truth(left) && is_truth(right)) {
    const Integer a = truth(left), b = truth(right);
    const Integer both = integers_.both(a, b), either = integers_.either(a, b);
    if (op == ir::Op::bit_and) return of_truth(both);
    if (op == ir::Op::bit_or) return of_truth(either);
    return of_truth(integers_.both(either, integers_.negation(both)));
  }
  const Value& mask = is_constant(left) ? left : right;
  const Value& other = is_constant(left) ? right : left;
  // The lowest bits of a number are its remainder, for negative ones as well.
  if (op == ir::Op::bit_and && is_constant(mask) && mask.low >= 0 &&
      std::has_single_bit(bits_of(mask.low + 1)))
    return {integers_.remainder(other.expr, mask.low + 1), 0, mask.low, false};
  if (op == ir::Op::bit_and && left.low >= 0 && right.low >= 0)
    return bounded(0, std::min(left.high, right.high));
  return any(shape);
}

Value Arithmetic::compare(ir::Op op, const Value& left, const Value& right) {
  switch (op) {
    case ir::Op::eq:
      return of_truth(equal(left, right));
    case ir::Op::ne:
      return of_truth(integers_.negation(equal(left, right)));
    case ir::Op::lt:
      if (left.high < right.low) return constant(1);
      if (right.high <= left.low) return constant(0);
      return of_truth(integers_.less(left.expr, right.expr));
    default:
      if (left.high <= right.low) return constant(1);
      if (right.high < left.low) return constant(0);
      return of_truth(integers_.at_most(left.expr, right.expr));
  }
}

Value Arithmetic::overflow(ir::Op op, const Value& left, const Value& right, Shape shape) {
  Integer exact{};
  if (op == ir::Op::add_overflows) exact = integers_.add(left.expr, right.expr);
  if (op == ir::Op::sub_overflows) exact = integers_.subtract(left.expr, right.expr);
  if (op == ir::Op::mul_overflows) {
    if (!is_constant(left) && !is_constant(right)) return any({1, false});
    const Value& factor = is_constant(left) ? left : right;
    if (factor.low > largest_factor || factor.low < -largest_factor) return any({1, false});
    exact = integers_.scale(is_constant(left) ? right.expr : left.expr, factor.low);
  }
  return of_truth(integers_.either(integers_.less(exact, integers_.constant(shape.low())),
                                   integers_.less(integers_.constant(shape.high()), exact)));
}

// ---- expressions -----------------------------------------------------------------

Value Arithmetic::evaluate(ir::ExprId id, const std::vector<Value>& registers) {
  const ir::Expr& expr = program_.expr(id);
  const ir::Type& type = program_.type(expr.type);
  const auto index = static_cast<std::uint32_t>(expr.payload);
  switch (expr.op) {
    case ir::Op::constant: {
      const Shape shape = shape_of(type);
      const Wide bits = static_cast<Wide>(expr.payload);
      return constant(bits > shape.high() ? bits - (Wide{1} << shape.width) : bits);
    }
    case ir::Op::reg:
      return registers[program_.reg({index}).index];
    case ir::Op::global_address: {
      const bool own = program_.global({index}).storage == ir::Storage::thread;
      const auto copy = own ? layout_.thread_copy(0, {index}) : std::nullopt;
      return constant(static_cast<Wide>(copy ? *copy : layout_.global({index})));
    }
    case ir::Op::function_address:
      return constant(static_cast<Wide>(layout_.function({index})));
    case ir::Op::neg:
    case ir::Op::bit_not:
    case ir::Op::logical_not:
    case ir::Op::cast:
      return unary(expr, registers);
    case ir::Op::select: {
      const Integer first = condition(expr.args[0], registers);
      if (integers_.is_yes(first)) return evaluate(expr.args[1], registers);
      if (integers_.is_no(first)) return evaluate(expr.args[2], registers);
      return choose(first, evaluate(expr.args[1], registers), evaluate(expr.args[2], registers));
    }
    case ir::Op::ptr_add:
    case ir::Op::field:
      return move_pointer(expr, registers);
    case ir::Op::ptr_diff: {
      const Wide size = static_cast<Wide>(program_.type(type_of(expr.args[0]).element).size);
      if (size == 0) return constant(0);
      const Value left = evaluate(expr.args[0], registers);
      const Value right = evaluate(expr.args[1], registers);
      const Value bytes = convert(subtract(left, right, {type_of(expr.args[0]).width, true}),
                                  {type_of(expr.args[0]).width, true});
      return convert(divide(ir::Op::div, bytes, constant(size), shape_of(type)), shape_of(type));
    }
    default:
      return binary(expr, registers);
  }
}

Value Arithmetic::unary(const ir::Expr& expr, const std::vector<Value>& registers) {
  const ir::Type &type = program_.type(expr.type), &inner = type_of(expr.args[0]);
  const Value operand = evaluate(expr.args[0], registers);
  const bool real = type.kind == ir::TypeKind::floating || inner.kind == ir::TypeKind::floating;
  if (expr.op == ir::Op::cast) {
    if (real && inner.kind == type.kind && inner.width == type.width) return operand;
    if (real && is_constant(operand))
      return convert(constant(static_cast<Wide>(ir::convert(inner, type, bits_of(operand.low)))),
                     shape_of(type));
    if (real) return any(shape_of(type));
    if (type.kind == ir::TypeKind::boolean) return of_truth(truth(operand));
    return convert(operand, shape_of(type));
  }
  if (real) return any(shape_of(type));
  if (expr.op == ir::Op::logical_not) return of_truth(integers_.negation(truth(operand)));
  const Value zero = constant(0);
  if (expr.op == ir::Op::neg) return subtract(zero, operand, shape_of(type));
  // ~x is -x - 1 of a signed number, and counts from the top of an unsigned one.
  const Shape shape = shape_of(type);
  return subtract(constant(shape.is_signed ? -1 : shape.high()), operand, shape);
}

Value Arithmetic::binary(const ir::Expr& expr, const std::vector<Value>& registers) {
  const ir::Type& type = type_of(expr.args[0]);
  if (type.kind == ir::TypeKind::floating) return any(shape_of(program_.type(expr.type)));
  const Shape shape = shape_of(type);
  const Value left = evaluate(expr.args[0], registers), right = evaluate(expr.args[1], registers);
  switch (expr.op) {
    case ir::Op::add:
      return add(left, right, shape);
    case ir::Op::sub:
      return subtract(left, right, shape);
    case ir::Op::mul:
      return multiply(left, right, shape);
    case ir::Op::div:
    case ir::Op::rem:
      return divide(expr.op, left, right, shape);
    case ir::Op::shl:
    case ir::Op::shr:
      return shift(expr.op, left, right, shape);
    case ir::Op::bit_and:
    case ir::Op::bit_or:
    case ir::Op::bit_xor:
      return bitwise(expr.op, left, right, shape);
    case ir::Op::eq:
    case ir::Op::ne:
    case ir::Op::lt:
    case ir::Op::le:
      return compare(expr.op, left, right);
    default:
      return overflow(expr.op, left, right, shape);
  }
}

Value Arithmetic::move_pointer(const ir::Expr& expr, const std::vector<Value>& registers) {
  const ir::Type& type = program_.type(expr.type);
  const Value pointer = evaluate(expr.args[0], registers);
  if (expr.op == ir::Op::field) {
    const ir::Type& record = program_.type(type_of(expr.args[0]).element);
    Value moved = add(pointer, constant(static_cast<Wide>(record.fields[expr.payload].offset)),
                      shape_of(type));
    moved.computed = pointer.computed;
    return moved;
  }
  const Value index = evaluate(expr.args[1], registers);
  const Wide size = static_cast<Wide>(program_.type(type.element).size);
  const auto [low, high] = std::minmax({index.low * size, index.high * size});
  return fit(integers_.add(pointer.expr, integers_.scale(index.expr, size)), pointer.low + low,
             pointer.high + high, shape_of(type));
}

}  // namespace heddle::engine::sequential
