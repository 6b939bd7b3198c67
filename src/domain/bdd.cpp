#include "domain/bdd.hpp"

#include <algorithm>
#include <functional>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "domain/access.hpp"
#include "domain/cells.hpp"
#include "domain/cells_read.hpp"
#include "domain/flat.hpp"
#include "smt/fold.hpp"

namespace heddle::domain {

using smt::Bdd;

namespace {

constexpr std::size_t most_tuples = 2048;
constexpr std::size_t most_nodes = 50'000;
// Values of wide cells: from -64 to 191.
constexpr std::uint64_t bias = 64;

bool is_narrow(std::uint32_t width) { return width <= BddSlots::bits; }

std::optional<std::uint64_t> encoded(std::uint32_t width, std::uint64_t value) {
  if (is_narrow(width)) return value;
  const std::uint64_t moved = (value + bias) & smt::mask_of(width);
  if (moved > smt::mask_of(BddSlots::bits)) return std::nullopt;
  return moved;
}

std::uint64_t decoded(std::uint32_t width, std::uint64_t code) {
  return is_narrow(width) ? code : (code - bias) & smt::mask_of(width);
}

// An smt::Algebra: registers have the values of a tuple, or are unknown.
class TupleReading : public FlatLattice {
 public:
  TupleReading(const ir::Program& program, const std::map<Cell, std::uint64_t>& tuple,
               const Scope& scope)
      : program_(program), tuple_(tuple), scope_(scope) {}

  Flat operator()(ir::ExprId id) { return *smt::Translation<TupleReading>(program_, *this)(id); }
  Flat read(const Operand& operand, std::uint32_t width) const {
    const auto* cell = std::get_if<Cell>(&operand);
    if (cell == nullptr) return constant(width, std::get<std::uint64_t>(operand));
    const auto found = tuple_.find(*cell);
    return found == tuple_.end() ? top(cell->width) : constant(cell->width, found->second);
  }
  Flat reg(ir::RegId id) const {
    return read(scope_.reg(id), program_.type(program_.reg(id).type).width);
  }
  std::uint64_t global(ir::GlobalId id) const { return scope_.global(id); }
  std::uint64_t function(ir::FunId id) const { return scope_.function(id); }
  static std::optional<Flat> opaque(std::uint32_t width) { return top(width); }

 private:
  const ir::Program& program_;
  const std::map<Cell, std::uint64_t>& tuple_;
  const Scope& scope_;
};

const BddStore& same_kind(const Store& other) {
  const auto* store = dynamic_cast<const BddStore*>(&other);
  CHECK(store != nullptr, "both stores are of one domain");
  return *store;
}

class BddDomain final : public Domain {
 public:
  explicit BddDomain(const ir::Program& program) : program_(program) {}
  std::string_view name() const override { return "bdd"; }
  std::unique_ptr<Store> initial() override { return std::make_unique<BddStore>(program_, slots_); }
  Merge merge() const override { return Merge::join; }

 private:
  const ir::Program& program_;
  BddSlots slots_{};
};

}  // namespace

std::unique_ptr<Domain> make_bdd(const ir::Program& program) {
  return std::make_unique<BddDomain>(program);
}

std::optional<int> BddSlots::slot(const Cell& cell) {
  const auto [place, is_new] = slots_.try_emplace(cell);
  if (is_new && next_ < count) place->second = next_++;
  return place->second;
}

std::vector<int> BddSlots::variables(int slot, std::uint32_t width) {
  std::vector<int> result;
  const int used = static_cast<int>(std::min<std::uint32_t>(width, bits));
  for (int bit = 0; bit < used; ++bit) result.push_back(bit * count + slot);
  return result;
}

// ---- the relation ----
std::vector<int> BddStore::variables(const Cell& cell) const {
  const std::optional<int> slot = slots_->slot(cell);
  CHECK(slot, "a related cell has its variables");
  return BddSlots::variables(*slot, cell.width);
}

std::optional<Bdd> BddStore::cube(const Cell& cell, int slot, std::uint64_t value) const {
  const std::optional<std::uint64_t> code = encoded(cell.width, value);
  CHECK(code, "only near values are in the relation");
  std::optional<Bdd> result = Bdd::yes();
  const std::vector<int> numbers = BddSlots::variables(slot, cell.width);
  for (std::size_t bit = numbers.size(); bit-- > 0 && result;) {
    const Bdd variable = Bdd::variable(numbers[bit]);
    result = ((*code >> bit) & 1) != 0 ? both(*result, variable) : except(*result, variable);
  }
  return result;
}

std::vector<Cell> BddStore::cells() const {
  std::vector<Cell> result;
  for (const auto& [cell, tracking] : cells_) result.push_back(cell);
  return result;
}

void BddStore::drop(const Cell& cell) {
  if (!related(cell)) return;
  std::optional<Bdd> rest = exists(relation_, variables(cell));
  // Without room for that nothing at all is known of any cell.
  if (rest) {
    relation_ = std::move(*rest);
    return;
  }
  relation_ = Bdd::yes();
  for (auto& [other, tracking] : cells_)
    if (!is_narrow(other.width)) tracking = Tracking::unknown;
}

void BddStore::forget(const Cell& cell) {
  drop(cell);
  cells_.erase(cell);
}

void BddStore::make_any(const Cell& cell) {
  drop(cell);
  const bool always = is_narrow(cell.width) && slots_->slot(cell);
  cells_[cell] = always ? Tracking::related : Tracking::unknown;
}

void BddStore::make_unknown(const Cell& cell) {
  drop(cell);
  cells_[cell] = Tracking::unknown;
}

// ---- expressions ----
std::optional<BddStore::Tuples> BddStore::tuples(const std::set<Cell>& read) const {
  // By variable: the cell that it belongs to, and its bit there.
  std::map<int, std::pair<Cell, std::size_t>> parts;
  for (const Cell& cell : read) {
    CHECK(holds(cell), "a cell that is read is there");
    if (!related(cell)) continue;
    const std::vector<int> numbers = variables(cell);
    for (std::size_t bit = 0; bit < numbers.size(); ++bit) parts[numbers[bit]] = {cell, bit};
  }
  if (parts.size() > 64) return std::nullopt;
  Tuples result;
  for (const auto& [number, part] : parts) result.variables.push_back(number);
  std::vector<int> hidden;
  for (const auto& [cell, tracking] : cells_)
    if (tracking == Tracking::related && !read.contains(cell))
      for (const int number : variables(cell)) hidden.push_back(number);
  const std::optional<Bdd> projected = exists(relation_, hidden);
  if (!projected) return std::nullopt;
  auto listed = assignments(*projected, result.variables, most_tuples);
  if (!listed) return std::nullopt;
  result.listed = std::move(*listed);
  for (const std::uint64_t bits : result.listed) {
    Tuple values;
    std::size_t at = 0;
    for (const auto& [number, part] : parts)
      values[part.first] |= ((bits >> at++) & 1) << part.second;
    for (auto& [cell, value] : values) value = decoded(cell.width, value);
    result.values.push_back(std::move(values));
  }
  return result;
}

std::optional<std::vector<BddStore::Case>> BddStore::cases(const std::set<Cell>& read,
                                                           const Function& value) const {
  const std::optional<Tuples> all = tuples(read);
  if (!all) return std::nullopt;
  std::map<std::optional<std::uint64_t>, std::vector<std::uint64_t>> by_value;
  for (std::size_t i = 0; i < all->listed.size(); ++i)
    by_value[value(all->values[i])].push_back(all->listed[i]);
  std::vector<Case> result;
  for (const auto& [held, listed] : by_value) {
    std::optional<Bdd> when = Bdd::from_assignments(all->variables, listed);
    if (!when) return std::nullopt;
    result.push_back({held, std::move(*when)});
  }
  return result;
}

// The new value goes into the scratch variables first: the cell may be read by the expression.
bool BddStore::assign_cases(const Cell& to, const std::vector<Case>& list) {
  std::optional<Bdd> effect = Bdd();
  for (const Case& one : list) {
    std::optional<Bdd> part = one.when;
    if (one.value) {
      const std::optional<Bdd> result = cube(to, BddSlots::scratch, *one.value);
      part = result ? both(one.when, *result) : std::nullopt;
    }
    effect = part ? either(*effect, *part) : std::nullopt;
    if (!effect) return false;
  }
  std::optional<Bdd> next = both(relation_, *effect);
  if (next && related(to)) next = exists(*next, variables(to));
  if (next) next = renamed(*next, BddSlots::variables(BddSlots::scratch, to.width), variables(to));
  if (!next || next->nodes() > most_nodes) return false;
  relation_ = std::move(*next);
  cells_[to] = Tracking::related;
  return true;
}

void BddStore::compute(const Cell& to, const std::set<Cell>& read, const Function& value) {
  const bool possible = slots_->slot(to).has_value();
  const auto list = possible ? cases(read, value) : std::nullopt;
  const bool near = list && std::all_of(list->begin(), list->end(), [&](const Case& one) {
                      return is_narrow(to.width) || (one.value && encoded(to.width, *one.value));
                    });
  if (!near || !assign_cases(to, *list)) make_any(to);
}

std::optional<Cell> BddStore::copied(ir::ExprId expr, const Scope& scope,
                                     std::uint32_t width) const {
  const ir::Expr& node = program_->expr(expr);
  if (node.op != ir::Op::reg) return std::nullopt;
  const Operand operand = scope.reg({static_cast<std::uint32_t>(node.payload)});
  const auto* cell = std::get_if<Cell>(&operand);
  return cell != nullptr && cell->width == width ? std::optional(*cell) : std::nullopt;
}

// Copies are frequent, and need no list of values: bit by bit the two are equal.
bool BddStore::copy(const Cell& to, const Cell& from) {
  if (to == from) return true;
  if (!related(from) || !slots_->slot(to)) return false;
  drop(to);
  if (!related(from)) return false;
  const std::vector<int> target = variables(to), source = variables(from);
  std::optional<Bdd> next = relation_;
  for (std::size_t bit = 0; bit < target.size() && next; ++bit) {
    const Bdd left = Bdd::variable(target[bit]), right = Bdd::variable(source[bit]);
    const std::optional<Bdd> more = except(left, right), less = except(right, left);
    const std::optional<Bdd> differ = more && less ? either(*more, *less) : std::nullopt;
    next = differ ? except(*next, *differ) : std::nullopt;
  }
  if (!next || next->nodes() > most_nodes) return false;
  relation_ = std::move(*next);
  cells_[to] = Tracking::related;
  return true;
}

bool BddStore::keep(const std::set<Cell>& read, const Function& truth) {
  const auto list = cases(read, truth);
  if (!list) return true;
  Bdd kept;
  for (const Case& one : *list) {
    if (one.value == 0U) continue;
    const std::optional<Bdd> more = either(kept, one.when);
    if (!more) return true;
    kept = *more;
  }
  if (kept.is_no()) return false;
  const std::optional<Bdd> rest = both(relation_, kept);
  if (rest && rest->nodes() <= most_nodes) relation_ = *rest;
  return true;
}

std::optional<std::set<std::uint64_t>> BddStore::values_of(const std::set<Cell>& read,
                                                           const Function& value) const {
  const std::optional<Tuples> all = tuples(read);
  if (!all) return std::nullopt;
  std::set<std::uint64_t> result;
  for (const Tuple& tuple : all->values) {
    const std::optional<std::uint64_t> held = value(tuple);
    if (!held) return std::nullopt;
    result.insert(*held);
  }
  return result;
}

// ---- operations ----
void BddStore::set(const Cell& cell, std::uint64_t bits) {
  compute(cell, {}, [=](const Tuple&) { return bits & smt::mask_of(cell.width); });
}

void BddStore::havoc(const Cell& cell, std::uint64_t limit) {
  make_any(cell);
  const bool few =
      limit != 0 && encoded(cell.width, limit - 1) && limit <= smt::mask_of(cell.width);
  if (!few || limit > (1U << BddSlots::bits) - bias || !slots_->slot(cell)) return;
  std::vector<Case> list;
  for (std::uint64_t value = 0; value < limit; ++value) list.push_back({value, Bdd::yes()});
  if (!assign_cases(cell, list)) make_any(cell);
}

void BddStore::assign(const Cell& to, ir::ExprId value, const Scope& scope) {
  const std::optional<Cell> from = copied(value, scope, to.width);
  if (from && copy(to, *from)) return;
  compute(to, cells_read(*program_, value, scope), [&](const Tuple& tuple) {
    return FlatLattice::resize_unsigned(TupleReading(*program_, tuple, scope)(value), to.width)
        .bits;
  });
}

void BddStore::load(const Cell& to, const Cell& memory, ir::TypeId type, ir::BitRange bits) {
  const bool whole = bits.whole() && program_->type(type).width == memory.width;
  if (whole && memory.width == to.width && copy(to, memory)) return;
  FlatLattice lattice;
  compute(to, {memory}, [&](const Tuple& tuple) {
    const auto found = tuple.find(memory);
    const Flat unit = found == tuple.end() ? FlatLattice::top(memory.width)
                                           : FlatLattice::constant(memory.width, found->second);
    const Flat value =
        Access<FlatLattice>(lattice).loaded(memory, unit, program_->type(type), bits);
    return FlatLattice::resize_unsigned(value, to.width).bits;
  });
}

void BddStore::store(const Cell& memory, ir::TypeId, ir::BitRange bits, ir::ExprId value,
                     const Scope& scope) {
  const std::optional<Cell> from = copied(value, scope, memory.width);
  if (from && bits.whole() && copy(memory, *from)) return;
  FlatLattice lattice;
  std::set<Cell> read = cells_read(*program_, value, scope);
  if (!bits.whole()) read.insert(memory);
  compute(memory, read, [&](const Tuple& tuple) {
    const auto found = tuple.find(memory);
    const Flat unit = found == tuple.end() ? FlatLattice::top(memory.width)
                                           : FlatLattice::constant(memory.width, found->second);
    return Access<FlatLattice>(lattice)
        .stored(memory, unit, bits, TupleReading(*program_, tuple, scope)(value))
        .bits;
  });
}

void BddStore::update(const Cell& memory, ir::TypeId type, ir::RmwOp op, const Operand& before,
                      ir::ExprId operand, const Scope& scope) {
  FlatLattice lattice;
  const std::uint32_t width = program_->type(type).width;
  std::set<Cell> read = cells_read(*program_, operand, scope);
  if (const auto* cell = std::get_if<Cell>(&before)) read.insert(*cell);
  compute(memory, read, [&](const Tuple& tuple) {
    TupleReading reading(*program_, tuple, scope);
    const Flat by = FlatLattice::resize_unsigned(reading(operand), width);
    const Flat result = Access<FlatLattice>(lattice).updated(op, reading.read(before, width), by);
    return FlatLattice::resize_unsigned(result, memory.width).bits;
  });
}

bool BddStore::assume(ir::ExprId condition, const Scope& scope) {
  return keep(cells_read(*program_, condition, scope), [&](const Tuple& tuple) {
    return TupleReading(*program_, tuple, scope)(condition).bits;
  });
}

bool BddStore::assume(Equality equality, const Operand& left, ir::ExprId right,
                      const Scope& scope) {
  std::set<Cell> read = cells_read(*program_, right, scope);
  if (const auto* cell = std::get_if<Cell>(&left)) read.insert(*cell);
  return keep(read, [&](const Tuple& tuple) {
    TupleReading reading(*program_, tuple, scope);
    const Flat value = reading(right);
    const Flat equal = FlatLattice::binary(smt::TermOp::eq, reading.read(left, value.width), value);
    return equality == Equality::equal ? equal.bits
                                       : FlatLattice::unary(smt::TermOp::bit_not, equal).bits;
  });
}

// ---- questions ----
std::optional<std::uint64_t> BddStore::known(ir::ExprId expr, const Scope& scope) const {
  const auto all = values(expr, scope, 1);
  if (!all || all->empty()) return std::nullopt;
  return all->front();
}

std::optional<std::uint64_t> BddStore::known(const Cell& cell) const {
  const auto all = values_of({cell}, [&](const Tuple& tuple) -> std::optional<std::uint64_t> {
    const auto found = tuple.find(cell);
    if (found == tuple.end()) return std::nullopt;
    return found->second;
  });
  if (!all || all->size() != 1) return std::nullopt;
  return *all->begin();
}

std::optional<std::vector<std::uint64_t>> BddStore::values(ir::ExprId expr, const Scope& scope,
                                                           std::size_t at_most) const {
  const auto all = values_of(cells_read(*program_, expr, scope), [&](const Tuple& tuple) {
    return TupleReading(*program_, tuple, scope)(expr).bits;
  });
  if (!all || all->size() > at_most) return std::nullopt;
  return std::vector<std::uint64_t>(all->begin(), all->end());
}

bool BddStore::covers(const Store& store) const {
  const BddStore& other = same_kind(store);
  CHECK(cells_.size() == other.cells_.size(), "stores that are compared have the same cells");
  std::vector<int> hidden;
  for (const auto& [cell, tracking] : cells_) {
    if (tracking == Tracking::related && !other.related(cell)) return false;
    if (tracking == Tracking::unknown && other.related(cell))
      for (const int number : variables(cell)) hidden.push_back(number);
  }
  const std::optional<Bdd> its = exists(other.relation_, hidden);
  const std::optional<Bdd> more = its ? except(*its, relation_) : std::nullopt;
  return more && more->is_no();
}

void BddStore::join(const Store& store) {
  BddStore other = same_kind(store);
  CHECK(cells_.size() == other.cells_.size(), "stores that are joined have the same cells");
  for (const Cell& cell : cells())
    if (related(cell) != other.related(cell)) {
      make_unknown(cell);
      other.make_unknown(cell);
    }
  const std::optional<Bdd> all = either(relation_, other.relation_);
  if (all && all->nodes() <= most_nodes) {
    relation_ = *all;
    return;
  }
  for (const Cell& cell : cells()) make_any(cell);
}

std::uint64_t BddStore::hash() const {
  std::uint64_t hash = relation_.hash();
  for (const auto& [cell, tracking] : cells_) {
    hash = base::combine(hash, hash_of(cell));
    hash = base::combine(hash, static_cast<std::uint64_t>(tracking));
  }
  return hash;
}

}  // namespace heddle::domain
