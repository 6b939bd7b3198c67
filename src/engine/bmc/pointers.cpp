#include "engine/bmc/pointers.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

namespace heddle::engine::bmc {
namespace {

using smt::TermNode;
using smt::TermOp;

constexpr std::size_t most_leaves = 128;

// The offsets up to `highest` that an index may lead to from `start`; none: first > last.
struct Offsets {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
Offsets reachable_offsets(const smt::Range& index, std::int64_t start, std::uint64_t highest) {
  __extension__ using Wide = __int128;
  const Wide low = std::max<Wide>(0, Wide{start} + index.signed_low);
  const Wide high = std::min<Wide>(static_cast<Wide>(highest), Wide{start} + index.signed_high);
  if (low > high) return {1, 0};
  return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)};
}

template <typename T>
std::vector<T> union_of(const std::vector<T>& left, const std::vector<T>& right) {
  std::vector<T> result;
  std::ranges::set_union(left, right, std::back_inserter(result));
  if (result.size() > most_leaves) result.clear();
  return result;
}

}  // namespace

std::optional<Cell> Pointers::cell_of(Term variable) const {
  const auto found = cells_.find(variable.id);
  if (found == cells_.end()) return std::nullopt;
  return found->second;
}

std::optional<ir::EdgeId> Pointers::input_of(Term variable) const {
  const auto found = inputs_.find(variable.id);
  if (found == inputs_.end()) return std::nullopt;
  return found->second;
}

const Pointers::Split& Pointers::split(Term term) {
  const auto known = splits_.find(term.id);
  if (known != splits_.end()) return known->second;
  Split fresh = split_fresh(term);
  if (fresh.known.size() > most_leaves) fresh = all_unknown();
  return splits_.emplace(term.id, std::move(fresh)).first->second;
}

Pointers::Split Pointers::split_fresh(Term term) {
  const TermNode node = terms_.node(term);
  Split result = nothing();
  const auto add = [&](const Found& found, Term when) {
    for (const auto& [what, condition] : found) {
      const Term both = terms_.and_(when, condition);
      if (terms_.is_false(both)) continue;
      const auto [at, fresh] = result.known.emplace(what, both);
      if (!fresh) at->second = terms_.or_(at->second, both);
    }
  };
  switch (node.op) {
    case TermOp::constant:
      result.known.emplace(std::pair(node.payload, Term{}), terms_.yes());
      return result;
    case TermOp::ite: {
      const Split then = split(node.args[1]), otherwise = split(node.args[2]);
      const Term not_condition = terms_.not_(node.args[0]);
      add(then.known, node.args[0]);
      add(otherwise.known, not_condition);
      result.unknown = terms_.or_(terms_.and_(node.args[0], then.unknown),
                                  terms_.and_(not_condition, otherwise.unknown));
      return result;
    }
    case TermOp::variable:
      return split_variable(term);
    case TermOp::add:
      return split_sum(node.args[0], node.args[1]);
    case TermOp::zext: {
      const Split inner = split(node.args[0]);
      bool constants = true;
      for (const auto& [what, condition] : inner.known)
        constants = constants && !what.second.valid();
      return constants ? inner : all_unknown();
    }
    default:
      return all_unknown();
  }
}

Pointers::Split Pointers::split_variable(Term variable) {
  Split result = nothing();
  Term named = terms_.no();
  const auto name = [&](const std::set<std::uint64_t>& values) {
    for (const std::uint64_t value : values) {
      const Term here = terms_.equal(variable, terms_.constant(terms_.width(variable), value));
      named = terms_.or_(named, here);
      result.known.emplace(std::pair(value, Term{}), here);
    }
  };
  if (const std::optional<Cell> cell = cell_of(variable)) {
    const Domain* domain = facts_.domain(*cell);
    if (domain == nullptr) return result;
    name(domain->values);
    if (domain->open) result.unknown = terms_.not_(named);
    return result;
  }
  if (const std::optional<ir::EdgeId> havoc = input_of(variable))
    name(facts_.input_addresses(*havoc));
  result.unknown = terms_.not_(named);
  return result;
}

// One side must name addresses; what the other side adds may be anything.
Pointers::Split Pointers::split_sum(Term left, Term right) {
  const std::uint32_t width = terms_.width(left);
  const auto points = [&](const Split& side) {
    for (const auto& [what, when] : side.known)
      if (what.first != 0 && objects_.near(what.first)) return true;
    return false;
  };
  Split first = split(left), second = split(right);
  const bool from_left = points(first);
  if (!from_left && !points(second)) return all_unknown();
  const Split& pointer = from_left ? first : second;
  const Term moved = from_left ? right : left;
  Split result = nothing();
  result.unknown = pointer.unknown;
  const auto add = [&](std::uint64_t base, Term rest, Term when) {
    const auto [at, fresh] = result.known.emplace(std::pair(base, rest), when);
    if (!fresh) at->second = terms_.or_(at->second, when);
  };
  for (const auto& [what, when] : pointer.known) {
    if (terms_.is_constant(moved)) {
      const std::uint64_t base =
          terms_.value(terms_.constant(width, what.first + terms_.value(moved)));
      add(base, what.second, when);
    } else {
      const Term rest =
          what.second.valid() ? terms_.binary(TermOp::add, what.second, moved) : moved;
      add(what.first, rest, when);
    }
  }
  return result;
}

// ---- what a term may be, without the conditions ------------------------------------

const std::vector<ir::EdgeId>& Pointers::inputs_among(Term term) {
  const auto known = inputs_among_.find(term.id);
  if (known != inputs_among_.end()) return known->second;
  std::vector<ir::EdgeId> fresh = find_inputs(term);
  return inputs_among_.emplace(term.id, std::move(fresh)).first->second;
}

std::vector<ir::EdgeId> Pointers::find_inputs(Term term) {
  const TermNode node = terms_.node(term);
  if (const std::optional<ir::EdgeId> havoc = input_of(term)) return {*havoc};
  if (node.op != TermOp::ite) return {};
  const std::vector<ir::EdgeId> then = inputs_among(node.args[1]);
  return union_of(then, inputs_among(node.args[2]));
}

const std::vector<std::uint64_t>& Pointers::constants_among(Term term) {
  const auto known = constants_among_.find(term.id);
  if (known != constants_among_.end()) return known->second;
  std::vector<std::uint64_t> fresh = find_constants(term);
  return constants_among_.emplace(term.id, std::move(fresh)).first->second;
}

std::vector<std::uint64_t> Pointers::find_constants(Term term) {
  const TermNode node = terms_.node(term);
  switch (node.op) {
    case TermOp::constant:
      return {node.payload};
    case TermOp::ite: {
      const std::vector<std::uint64_t> then = constants_among(node.args[1]);
      return union_of(then, constants_among(node.args[2]));
    }
    case TermOp::add: {
      const std::size_t side = terms_.is_constant(node.args[0]) ? 0 : 1;
      if (!terms_.is_constant(node.args[side])) return {};
      std::vector<std::uint64_t> result = constants_among(node.args[1 - side]);
      const std::uint32_t width = terms_.width(term);
      for (std::uint64_t& value : result)
        value = terms_.value(terms_.constant(width, value + terms_.value(node.args[side])));
      std::ranges::sort(result);
      return result;
    }
    case TermOp::zext:
      return constants_among(node.args[0]);
    case TermOp::variable: {
      std::set<std::uint64_t> named;
      if (const std::optional<Cell> cell = cell_of(term)) {
        if (const Domain* domain = facts_.domain(*cell)) named = domain->values;
      } else if (const std::optional<ir::EdgeId> havoc = input_of(term)) {
        named = facts_.input_addresses(*havoc);
      }
      return {named.begin(), named.end()};
    }
    default:
      return {};
  }
}

Leaves Pointers::leaves(Term address) {
  const Split& split = this->split(address);
  Leaves result;
  result.unknown = split.unknown;
  for (const auto& [what, when] : split.known)
    result.known.push_back({what.first, what.second, when});
  return result;
}

// A number that divides every value of the term; 0 if it is always 0.
std::uint64_t Pointers::stride(Term term) {
  const auto known = strides_.find(term.id);
  if (known != strides_.end()) return known->second;
  const std::uint64_t result = stride_fresh(term);
  strides_.emplace(term.id, result);
  return result;
}

std::uint64_t Pointers::stride_fresh(Term term) {
  const TermNode node = terms_.node(term);
  switch (node.op) {
    case TermOp::constant:
      return node.payload;
    case TermOp::mul:
      // Products wrap at a power of two, which spoils every other factor's multiples; wrapped
      // addresses lie far from every object, so the condition on the exact value sorts them out.
      return terms_.is_constant(node.args[1]) ? terms_.value(node.args[1]) : 1;
    case TermOp::shl:
      return terms_.is_constant(node.args[1])
                 ? std::uint64_t{1} << (terms_.value(node.args[1]) & 63)
                 : 1;
    case TermOp::concat:
      return terms_.is_constant(node.args[1]) && terms_.value(node.args[1]) == 0
                 ? std::uint64_t{1} << terms_.width(node.args[1])
                 : 1;
    case TermOp::zext:
    case TermOp::sext: {
      const std::uint64_t inner = stride(node.args[0]);
      return inner & (~inner + 1);  // low bits stay as they are
    }
    case TermOp::add:
      return std::gcd(stride(node.args[0]), stride(node.args[1]));
    case TermOp::ite:
      return std::gcd(stride(node.args[1]), stride(node.args[2]));
    default:
      return 1;
  }
}

void Pointers::index(const Leaf& leaf, std::uint64_t size, Targets& targets) {
  const std::optional<ObjectId> id = objects_.near(leaf.base);
  if (!id) {
    targets.unknown = terms_.or_(targets.unknown, leaf.when);
    return;
  }
  const Object& object = objects_[*id];
  const std::int64_t start = static_cast<std::int64_t>(leaf.base - object.base);
  const std::uint64_t step = std::max<std::uint64_t>(stride(leaf.rest), 1);
  if (object.size < size) {
    targets.unknown = terms_.or_(targets.unknown, leaf.when);
    return;
  }
  const auto [first, last] = reachable_offsets(terms_.range(leaf.rest), start, object.size - size);
  if (first <= last && (last - first) / step > most_elements_) {
    targets.unknown = terms_.or_(targets.unknown, leaf.when);
    return;
  }
  const std::uint32_t width = terms_.width(leaf.rest);
  Term inside = terms_.no();
  const std::int64_t apart = static_cast<std::int64_t>(step);
  const std::int64_t past = (static_cast<std::int64_t>(first) - start) % apart;
  const std::uint64_t aligned = first + static_cast<std::uint64_t>(past == 0  ? 0
                                                                   : past > 0 ? apart - past
                                                                              : -past);
  for (std::uint64_t offset = aligned; offset <= last; offset += step) {
    const Term here =
        terms_.equal(leaf.rest, terms_.constant(width, offset - static_cast<std::uint64_t>(start)));
    const Term when = terms_.and_(leaf.when, here);
    if (terms_.is_false(when)) continue;
    inside = terms_.or_(inside, here);
    targets.valid.push_back({*id, static_cast<std::uint32_t>(offset), when});
  }
  targets.invalid = terms_.or_(targets.invalid, terms_.and_(leaf.when, terms_.not_(inside)));
}

Targets Pointers::targets(Term address, std::uint64_t size) {
  const Leaves found = leaves(address);
  Targets result{{}, terms_.no(), found.unknown};
  for (const Leaf& leaf : found.known) {
    if (leaf.rest.valid()) {
      index(leaf, size, result);
      continue;
    }
    const std::optional<ObjectId> id = objects_.at(leaf.base);
    if (id && leaf.base - objects_[*id].base + size <= objects_[*id].size)
      result.valid.push_back(
          {*id, static_cast<std::uint32_t>(leaf.base - objects_[*id].base), leaf.when});
    else
      result.invalid = terms_.or_(result.invalid, leaf.when);
  }
  return result;
}

}  // namespace heddle::engine::bmc
