// Rules for cutting, joining and extending: bits are traced to where they come from.
#include "smt/term.hpp"

#include "base/check.hpp"
#include "smt/fold.hpp"

namespace heddle::smt {

Term Terms::extract(Term term, std::uint32_t low, std::uint32_t width) {
  const TermNode shape = node(term);
  CHECK(width >= 1 && low + width <= shape.width, "only bits that are there can be taken");
  if (width == shape.width) return term;
  if (leaves(term) != 0)
    return map_choice(term, [&](Term leaf) { return constant(width, value(leaf) >> low); });
  const Rewriting rewriting(*this);
  if (rewriting.exhausted()) return make(TermOp::extract, width, {term}, low);
  return rewrite_extract(term, low, width);
}

Term Terms::rewrite_extract(Term term, std::uint32_t low, std::uint32_t bits) {
  const TermNode shape = node(term);
  const std::uint32_t high = low + bits;
  const std::uint32_t inner = shape.arity == 0 ? 0 : width(shape.args[0]);
  switch (shape.op) {
    case TermOp::extract:
      return extract(shape.args[0], static_cast<std::uint32_t>(shape.payload) + low, bits);
    case TermOp::bit_not:
      return not_(extract(shape.args[0], low, bits));
    case TermOp::zext:
      if (low >= inner) return constant(bits, 0);
      if (high <= inner) return extract(shape.args[0], low, bits);
      return zext(extract(shape.args[0], low, inner - low), bits);
    case TermOp::sext:
      if (low >= inner) return sext(extract(shape.args[0], inner - 1, 1), bits);
      if (high <= inner) return extract(shape.args[0], low, bits);
      return sext(extract(shape.args[0], low, inner - low), bits);
    case TermOp::concat: {
      const std::uint32_t split = width(shape.args[1]);
      if (low >= split) return extract(shape.args[0], low - split, bits);
      if (high <= split) return extract(shape.args[1], low, bits);
      const Term upper = extract(shape.args[0], 0, high - split);
      return concat(upper, extract(shape.args[1], low, split - low));
    }
    case TermOp::bit_and:
    case TermOp::bit_xor:
      if (!is_constant(shape.args[1])) break;
      return binary(shape.op, extract(shape.args[0], low, bits),
                    constant(bits, value(shape.args[1]) >> low));
    case TermOp::ite:
      if (!is_constant(shape.args[1]) && !is_constant(shape.args[2])) break;
      return ite(shape.args[0], extract(shape.args[1], low, bits),
                 extract(shape.args[2], low, bits));
    case TermOp::neg:
    case TermOp::add:
    case TermOp::sub:
    case TermOp::mul:
      if (low != 0) break;
      if (const std::optional<Term> narrow = cut_arithmetic(term, bits)) return *narrow;
      break;
    default:
      break;
  }
  return make(TermOp::extract, bits, {term}, low);
}

// Low bits of sums and products come from low bits. C computes in int what is stored in char.
std::optional<Term> Terms::cut_arithmetic(Term term, std::uint32_t bits) {
  const TermNode shape = node(term);
  for (const Term arg : shape.operands()) {
    const TermOp op = node(arg).op;
    if (op != TermOp::constant && op != TermOp::zext && op != TermOp::sext) return std::nullopt;
  }
  if (shape.op == TermOp::neg) return unary(TermOp::neg, extract(shape.args[0], 0, bits));
  return binary(shape.op, extract(shape.args[0], 0, bits), extract(shape.args[1], 0, bits));
}

Term Terms::concat(Term high, Term low) {
  const std::uint32_t low_bits = width(low);
  const std::uint32_t bits = width(high) + low_bits;
  CHECK(bits <= 64, "terms have 1 to 64 bits");
  if (is_constant(high) && is_constant(low))
    return constant(bits, (value(high) << low_bits) | value(low));
  const Rewriting rewriting(*this);
  if (rewriting.exhausted()) return make(TermOp::concat, bits, {high, low});
  if (constant_is(high, 0)) return zext(low, bits);
  const std::size_t cases = leaves(high) * leaves(low);
  if (cases != 0 && cases <= most_leaves)
    return map_choice(high, [&](Term first) {
      return map_choice(low, [&](Term second) { return concat(first, second); });
    });
  return rewrite_concat(high, low);
}

// To the right: high parts that are joined themselves are taken apart, so that neighbours meet.
Term Terms::rewrite_concat(Term high, Term low) {
  const TermNode upper = node(high), lower = node(low);
  const std::uint32_t bits = upper.width + lower.width;
  if (upper.op == TermOp::extract && lower.op == TermOp::extract &&
      upper.args[0] == lower.args[0] && upper.payload == lower.payload + lower.width)
    return extract(lower.args[0], static_cast<std::uint32_t>(lower.payload), bits);
  if (upper.op == TermOp::concat) return concat(upper.args[0], concat(upper.args[1], low));
  if (upper.op == TermOp::zext) return zext(concat(upper.args[0], low), bits);
  if (upper.op == TermOp::sext) return sext(concat(upper.args[0], low), bits);
  if (lower.op == TermOp::concat) {
    const TermNode middle = node(lower.args[0]);
    const bool constants = is_constant(high) && is_constant(lower.args[0]);
    const bool neighbours = upper.op == TermOp::extract && middle.op == TermOp::extract &&
                            upper.args[0] == middle.args[0] &&
                            upper.payload == middle.payload + middle.width;
    if (constants || neighbours) return concat(concat(high, lower.args[0]), lower.args[1]);
  }
  if (lower.op == TermOp::zext && upper.op == TermOp::constant) {
    const std::uint32_t gap = lower.width - width(lower.args[0]);
    return concat(concat(high, constant(gap, 0)), lower.args[0]);
  }
  return make(TermOp::concat, bits, {high, low});
}

Term Terms::zext(Term term, std::uint32_t width) {
  const TermNode shape = node(term);
  CHECK(width >= shape.width && width <= 64, "extending does not cut");
  if (width == shape.width) return term;
  if (leaves(term) != 0)
    return map_choice(term, [&](Term leaf) { return constant(width, value(leaf)); });
  if (shape.op == TermOp::zext) return zext(shape.args[0], width);
  return make(TermOp::zext, width, {term});
}

Term Terms::sext(Term term, std::uint32_t width) {
  const TermNode shape = node(term);
  CHECK(width >= shape.width && width <= 64, "extending does not cut");
  if (width == shape.width) return term;
  if (leaves(term) != 0)
    return map_choice(term, [&](Term leaf) {
      return constant(width, static_cast<std::uint64_t>(signed_value(shape.width, value(leaf))));
    });
  if (shape.op == TermOp::sext) return sext(shape.args[0], width);
  if (range(term).signed_low >= 0) return zext(term, width);
  return make(TermOp::sext, width, {term});
}

}  // namespace heddle::smt
