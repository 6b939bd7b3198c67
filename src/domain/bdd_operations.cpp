// What statements do to a relation, and questions about it.
#include <algorithm>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "domain/access.hpp"
#include "domain/bdd.hpp"
#include "domain/cells.hpp"
#include "domain/cells_read.hpp"
#include "domain/flat.hpp"
#include "smt/fold.hpp"

namespace heddle::domain {

using smt::Bdd;

namespace {

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

}  // namespace

void BddStore::set(const Cell& cell, std::uint64_t bits) {
  compute(cell, {}, [=](const Tuple&) { return bits & smt::mask_of(cell.width); });
}

void BddStore::havoc(const Cell& cell, std::uint64_t limit) {
  make_any(cell);
  const bool few =
      limit != 0 && limit <= smt::mask_of(cell.width) && encoded(cell.width, limit - 1);
  if (!few || !slots_->slot(cell)) return;
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
