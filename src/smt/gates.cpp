// Inputs are brought into one order and polarity first, so that the hash finds equal
// gates. Each gate has one variable and the clauses of its truth table.
#include "smt/gates.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"

namespace heddle::smt {

std::size_t Gates::KeyHash::operator()(const Key& key) const noexcept {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < key.parts.size(); i += 2)
    hash = base::combine(hash, (static_cast<std::uint64_t>(key.parts[i]) << 32) ^
                                   static_cast<std::uint64_t>(key.parts[i + 1]));
  return hash;
}

std::size_t Gates::InputsHash::operator()(const Bits& inputs) const noexcept {
  std::uint64_t hash = inputs.size();
  for (const Lit input : inputs) hash = base::combine(hash, static_cast<std::uint64_t>(input.code));
  return hash;
}

Gates::Found Gates::find(Kind kind, Lit first, Lit second, Lit third) {
  const Key key{{static_cast<std::int32_t>(kind), first.code, second.code, third.code}};
  const auto [entry, is_new] = gates_.try_emplace(key);
  if (is_new) {
    entry->second = sat_.fresh();
    ++count_;
  }
  return {entry->second, is_new};
}

Lit Gates::both(Lit left, Lit right) {
  if (left == no() || right == no() || left == ~right) return no();
  if (left == yes() || left == right) return right;
  if (right == yes()) return left;
  if (right < left) std::swap(left, right);
  const auto [output, is_new] = find(Kind::both, left, right, yes());
  if (is_new) {
    sat_.add_clause({~output, left});
    sat_.add_clause({~output, right});
    sat_.add_clause({output, ~left, ~right});
  }
  return output;
}

Lit Gates::differ(Lit left, Lit right) {
  if (left == right) return no();
  if (left == ~right) return yes();
  if (constant(left)) return left == yes() ? ~right : right;
  if (constant(right)) return right == yes() ? ~left : left;
  const bool flipped = left.negated() != right.negated();
  if (left.negated()) left = ~left;
  if (right.negated()) right = ~right;
  if (right < left) std::swap(left, right);
  const auto [output, is_new] = find(Kind::differ, left, right, yes());
  if (is_new) {
    sat_.add_clause({~output, left, right});
    sat_.add_clause({~output, ~left, ~right});
    sat_.add_clause({output, ~left, right});
    sat_.add_clause({output, left, ~right});
  }
  return flipped ? ~output : output;
}

Lit Gates::all(std::span<const Lit> literals) {
  Bits inputs;
  for (const Lit literal : literals) {
    if (literal == no()) return no();
    if (literal != yes()) inputs.push_back(literal);
  }
  std::sort(inputs.begin(), inputs.end());
  inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
  for (std::size_t i = 1; i < inputs.size(); ++i)
    if (inputs[i] == ~inputs[i - 1]) return no();
  if (inputs.empty()) return yes();
  if (inputs.size() == 1) return inputs[0];
  if (inputs.size() == 2) return both(inputs[0], inputs[1]);
  const auto [entry, is_new] = conjunctions_.try_emplace(inputs);
  if (!is_new) return entry->second;
  const Lit output = sat_.fresh();
  entry->second = output;
  ++count_;
  for (const Lit input : inputs) sat_.add_clause({~output, input});
  for (Lit& input : inputs) input = ~input;
  inputs.push_back(output);
  sat_.add_clause(inputs);
  return output;
}

Lit Gates::none(std::span<const Lit> literals) {
  Bits negated;
  for (const Lit literal : literals) negated.push_back(~literal);
  return all(negated);
}

Lit Gates::choose(Lit condition, Lit then, Lit otherwise) {
  if (then == otherwise || condition == yes()) return then;
  if (condition == no()) return otherwise;
  if (then == ~otherwise) return differ(condition, otherwise);
  if (condition.negated()) {
    condition = ~condition;
    std::swap(then, otherwise);
  }
  if (then == yes() || then == condition) return either(condition, otherwise);
  if (then == no() || then == ~condition) return both(~condition, otherwise);
  if (otherwise == yes() || otherwise == ~condition) return either(~condition, then);
  if (otherwise == no() || otherwise == condition) return both(condition, then);
  const bool flipped = then.negated();
  if (flipped) {
    then = ~then;
    otherwise = ~otherwise;
  }
  const auto [output, is_new] = find(Kind::choose, condition, then, otherwise);
  if (is_new) {
    sat_.add_clause({~condition, ~then, output});
    sat_.add_clause({~condition, then, ~output});
    sat_.add_clause({condition, ~otherwise, output});
    sat_.add_clause({condition, otherwise, ~output});
    // Implied, but without these equal arms would not reach the output.
    sat_.add_clause({~then, ~otherwise, output});
    sat_.add_clause({then, otherwise, ~output});
  }
  return flipped ? ~output : output;
}

Lit Gates::odd(Lit first, Lit second, Lit third) {
  std::array<Lit, 3> in{first, second, third};
  bool flipped = false;
  for (Lit& input : in)
    if (input.negated()) {
      input = ~input;
      flipped = !flipped;
    }
  std::sort(in.begin(), in.end());
  const auto polar = [&](Lit output) { return flipped ? ~output : output; };
  for (std::size_t i = 0; i < 3; ++i) {
    const Lit one = in[(i + 1) % 3], other = in[(i + 2) % 3];
    if (one == other) return polar(in[i]);
    if (constant(in[i])) return polar(differ(differ(one, other), in[i]));
  }
  const auto [output, is_new] = find(Kind::odd, in[0], in[1], in[2]);
  if (is_new)
    for (unsigned row = 0; row < 8; ++row) {
      const auto side = [&](unsigned i) { return ((row >> i) & 1) != 0 ? ~in[i] : in[i]; };
      const bool odd_row = (row == 1 || row == 2 || row == 4 || row == 7);
      sat_.add_clause({side(0), side(1), side(2), odd_row ? output : ~output});
    }
  return polar(output);
}

Lit Gates::majority(Lit first, Lit second, Lit third) {
  std::array<Lit, 3> in{first, second, third};
  std::sort(in.begin(), in.end());
  for (std::size_t i = 0; i < 3; ++i) {
    const Lit one = in[(i + 1) % 3], other = in[(i + 2) % 3];
    if (one == other) return one;
    if (one == ~other) return in[i];
    if (in[i] == yes()) return either(one, other);
    if (in[i] == no()) return both(one, other);
  }
  const bool flipped = in[0].negated();  // a majority of negations is the negated majority
  if (flipped)
    for (Lit& input : in) input = ~input;
  const auto [output, is_new] = find(Kind::majority, in[0], in[1], in[2]);
  if (is_new)
    for (std::size_t i = 0; i < 3; ++i) {
      const Lit one = in[(i + 1) % 3], other = in[(i + 2) % 3];
      sat_.add_clause({~one, ~other, output});
      sat_.add_clause({one, other, ~output});
    }
  return flipped ? ~output : output;
}

}  // namespace heddle::smt
