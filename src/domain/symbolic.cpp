// Reading, writing and assuming; questions about values.
#include "domain/symbolic.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/check.hpp"
#include "domain/access.hpp"
#include "smt/fold.hpp"
#include "smt/translate.hpp"

namespace heddle::domain {

using smt::SatAnswer;
using smt::Term;
using smt::TermOp;

// The store's terms as an smt::Algebra, with the scope's operands as leaves.
class SymbolicStore::Leaves : public smt::TermAlgebra {
 public:
  Leaves(const SymbolicStore& store, const Scope& scope)
      : TermAlgebra(store.terms()), store_(store), scope_(scope) {}

  // Any value: more than can happen.
  std::optional<Term> opaque(std::uint32_t width) {
    lost_ = true;
    return terms_.variable(width);
  }
  Term reg(ir::RegId id) {
    return read(scope_.reg(id), store_.program_->type(store_.program_->reg(id).type).width);
  }
  Term read(const Operand& operand, std::uint32_t width) {
    if (const auto* cell = std::get_if<Cell>(&operand)) return store_.term(*cell);
    return terms_.constant(width, std::get<std::uint64_t>(operand));
  }
  std::uint64_t global(ir::GlobalId id) { return scope_.global(id); }
  std::uint64_t function(ir::FunId id) { return scope_.function(id); }

  Term operator()(ir::ExprId id) { return *smt::Translation<Leaves>(*store_.program_, *this)(id); }
  bool lost() const { return lost_; }

 private:
  const SymbolicStore& store_;
  const Scope& scope_;
  bool lost_ = false;
};

// ---- cells ----
const SymbolicStore::Entry* SymbolicStore::find(const Cell& cell) const {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), cell,
                       [](const Entry& entry, const Cell& key) { return entry.cell < key; });
  return at != entries_.end() && at->cell == cell ? &*at : nullptr;
}

Term SymbolicStore::term(const Cell& cell) const {
  const Entry* entry = find(cell);
  CHECK(entry != nullptr, "a cell that is read is there");
  return entry->term;
}

std::vector<Cell> SymbolicStore::cells() const {
  std::vector<Cell> result;
  for (const Entry& entry : entries_) result.push_back(entry.cell);
  return result;
}

void SymbolicStore::write(const Cell& cell, Term term) {
  tidy_ = false;
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), cell,
                       [](const Entry& entry, const Cell& key) { return entry.cell < key; });
  if (at != entries_.end() && at->cell == cell)
    at->term = term;
  else
    entries_.insert(at, Entry{cell, term});
}

void SymbolicStore::forget(const Cell& cell) {
  tidy_ = false;
  std::erase_if(entries_, [&](const Entry& entry) { return entry.cell == cell; });
}

void SymbolicStore::set(const Cell& cell, std::uint64_t bits) {
  write(cell, terms().constant(cell.width, bits));
}

void SymbolicStore::havoc(const Cell& cell, std::uint64_t limit) {
  const Term variable = terms().variable(cell.width);
  inputs_.push_back({variable, {}});
  write(cell, variable);
  if (limit == 0 || limit > smt::mask_of(cell.width)) return;
  // The model has 0 for it, which is below every limit.
  const Term below = terms().binary(TermOp::ult, variable, terms().constant(cell.width, limit));
  CHECK(add_condition(below), "a value within its limit is always possible");
}

Term SymbolicStore::translate(ir::ExprId expr, const Scope& scope) {
  Leaves leaves(*this, scope);
  const Term result = leaves(expr);
  inexact_ = inexact_ || leaves.lost();
  return result;
}

void SymbolicStore::assign(const Cell& to, ir::ExprId value, const Scope& scope) {
  write(to, terms().resize_unsigned(translate(value, scope), to.width));
}

void SymbolicStore::load(const Cell& to, const Cell& memory, ir::TypeId type, ir::BitRange bits) {
  smt::TermAlgebra algebra(terms());
  const Term value =
      Access<smt::TermAlgebra>(algebra).loaded(memory, term(memory), program_->type(type), bits);
  write(to, terms().resize_unsigned(value, to.width));
}

void SymbolicStore::store(const Cell& memory, ir::TypeId, ir::BitRange bits, ir::ExprId value,
                          const Scope& scope) {
  smt::TermAlgebra algebra(terms());
  const Term stored = translate(value, scope);
  std::optional<Term> unit;
  if (const Entry* entry = find(memory)) unit = entry->term;
  write(memory, Access<smt::TermAlgebra>(algebra).stored(memory, unit, bits, stored));
}

void SymbolicStore::update(const Cell& memory, ir::TypeId type, ir::RmwOp op, const Operand& before,
                           ir::ExprId operand, const Scope& scope) {
  smt::TermAlgebra algebra(terms());
  const std::uint32_t width = program_->type(type).width;
  const Term old = Leaves(*this, scope).read(before, width);
  const Term by = terms().resize_unsigned(translate(operand, scope), width);
  write(memory, terms().resize_unsigned(Access<smt::TermAlgebra>(algebra).updated(op, old, by),
                                        memory.width));
}

// ---- conditions ----
bool SymbolicStore::assume(ir::ExprId condition, const Scope& scope) {
  return add_condition(translate(condition, scope));
}

bool SymbolicStore::assume(Equality equality, const Operand& left, ir::ExprId right,
                           const Scope& scope) {
  const Term value = translate(right, scope);
  const Term equal = terms().equal(Leaves(*this, scope).read(left, terms().width(value)), value);
  return add_condition(equality == Equality::equal ? equal : terms().not_(equal));
}

SatAnswer SymbolicStore::possible(Term condition, smt::Model& model) const {
  const Term asked[] = {condition};
  std::vector<Term> conditions = solver_->related(path_, asked);
  conditions.push_back(condition);
  return solver_->satisfiable(std::move(conditions), model);
}

bool SymbolicStore::add_condition(Term condition) {
  if (terms().is_constant(condition)) return terms().is_true(condition);
  if (possible(condition, model_) == SatAnswer::unsat) return false;
  tidy_ = false;
  // Conjuncts on their own: more of them are found again in other stores.
  std::vector<Term> open{condition};
  while (!open.empty()) {
    const Term next = open.back();
    open.pop_back();
    const smt::TermNode& node = terms().node(next);
    if (node.op == TermOp::bit_and) {
      open.push_back(node.args[1]);
      open.push_back(node.args[0]);
    } else if (std::find(path_.begin(), path_.end(), next) == path_.end()) {
      path_.push_back(next);
    }
  }
  return fix_decided();
}

std::optional<std::pair<Term, std::uint64_t>> SymbolicStore::decided_by(Term condition) const {
  const auto is_variable = [&](Term at) { return terms().node(at).op == TermOp::variable; };
  const smt::TermNode& node = terms().node(condition);
  if (is_variable(condition)) return std::pair{condition, std::uint64_t{1}};
  if (node.op == TermOp::bit_not && is_variable(node.args[0]))
    return std::pair{node.args[0], std::uint64_t{0}};
  if (node.op == TermOp::eq && is_variable(node.args[0]) && terms().is_constant(node.args[1]))
    return std::pair{node.args[0], terms().value(node.args[1])};
  return std::nullopt;
}

// An input that has one value left is that value, everywhere.
bool SymbolicStore::fix_decided() {
  for (std::size_t at = 0; at < path_.size();) {
    const auto decided = decided_by(path_[at]);
    if (!decided) {
      ++at;
      continue;
    }
    if (!substitute(decided->first, decided->second)) return false;
    at = 0;
  }
  return true;
}

bool SymbolicStore::substitute(Term variable, std::uint64_t value) {
  smt::Substitution replaced(terms());
  replaced.replace(variable, terms().constant(terms().width(variable), value));
  for (Entry& entry : entries_) entry.term = replaced(entry.term);
  std::vector<Term> path;
  for (const Term condition : path_) {
    const Term now = replaced(condition);
    if (terms().is_false(now)) return false;
    if (!terms().is_true(now) && std::find(path.begin(), path.end(), now) == path.end())
      path.push_back(now);
  }
  path_ = std::move(path);
  for (Input& input : inputs_)
    if (input.variable == variable) input.fixed = value;
  model_[variable] = value;
  return true;
}

std::vector<Term> SymbolicStore::cell_terms() const {
  std::vector<Term> result;
  for (const Entry& entry : entries_) result.push_back(entry.term);
  return result;
}

void SymbolicStore::tidy() const {
  if (tidy_) return;
  tidy_ = true;
  const std::vector<Term> live = cell_terms();
  const std::vector<Term> related = solver_->related(path_, live);
  const std::set<Term> kept(related.begin(), related.end());
  std::vector<Term> dropped;
  std::copy_if(path_.begin(), path_.end(), std::back_inserter(dropped),
               [&](Term condition) { return !kept.contains(condition); });
  // Where the solver gave up, the model is not known to be good, and the conditions stay.
  if (solver_->holds(dropped, model_))
    std::erase_if(path_, [&](Term condition) { return !kept.contains(condition); });
  std::set<Term> alive;
  for (const std::vector<Term>* terms : {&live, static_cast<const std::vector<Term>*>(&path_)})
    for (const Term term : *terms)
      alive.insert(solver_->variables().of(term).begin(), solver_->variables().of(term).end());
  for (Input& input : inputs_) {
    if (input.fixed || alive.contains(input.variable)) continue;
    const auto found = model_.find(input.variable);
    input.fixed = found == model_.end() ? 0 : found->second;
  }
  std::erase_if(model_, [&](const auto& value) { return !alive.contains(value.first); });
}

std::optional<std::vector<std::uint64_t>> SymbolicStore::solve() const {
  smt::Model model = model_;
  if (solver_->satisfiable(path_, model) != SatAnswer::sat) return std::nullopt;
  std::vector<std::uint64_t> result;
  for (const Input& input : inputs_) {
    const auto found = model.find(input.variable);
    result.push_back(input.fixed ? *input.fixed : found == model.end() ? 0 : found->second);
  }
  return result;
}

// ---- values ----
std::optional<std::uint64_t> SymbolicStore::known(ir::ExprId expr, const Scope& scope) const {
  return only_value(Leaves(*this, scope)(expr));
}

std::optional<std::uint64_t> SymbolicStore::known(const Cell& cell) const {
  return only_value(term(cell));
}

// Whether a change of one variable alone changes the value, and leaves the path true.
bool SymbolicStore::varies(Term term) const {
  smt::Valuation before(terms(), model_);
  const std::uint64_t value = before(term);
  for (const Term variable : solver_->variables().of(term)) {
    const Term asked[] = {variable};
    const std::vector<Term> conditions = solver_->related(path_, asked);
    const std::uint64_t all = smt::mask_of(terms().width(variable)), old = before(variable);
    for (const std::uint64_t other : {old + 1, old - 1, old ^ (all >> 1), ~old, std::uint64_t{0}}) {
      if ((other & all) == old) continue;
      smt::Model changed = model_;
      changed[variable] = other & all;
      if (smt::Valuation(terms(), changed)(term) != value && solver_->holds(conditions, changed))
        return true;
    }
  }
  return false;
}

std::optional<std::uint64_t> SymbolicStore::only_value(Term term) const {
  if (terms().is_constant(term)) return terms().value(term);
  const Term asked[] = {term};
  if (solver_->related(path_, asked).empty() && terms().node(term).op == TermOp::variable)
    return std::nullopt;
  const std::uint64_t value = smt::Valuation(terms(), model_)(term);
  if (varies(term)) return std::nullopt;
  const Term same = terms().equal(term, terms().constant(terms().width(term), value));
  smt::Model model = model_;
  if (possible(terms().not_(same), model) != SatAnswer::unsat) return std::nullopt;
  return value;
}

std::optional<std::vector<std::uint64_t>> SymbolicStore::values(ir::ExprId expr, const Scope& scope,
                                                                std::size_t at_most) const {
  const Term term = Leaves(*this, scope)(expr);
  std::vector<std::uint64_t> result;
  Term others = terms().yes();
  smt::Model model = model_;
  for (;;) {
    const Term asked[] = {others, term};
    std::vector<Term> conditions = solver_->related(path_, asked);
    conditions.push_back(others);
    const SatAnswer answer = solver_->satisfiable(std::move(conditions), model);
    if (answer == SatAnswer::unsat) break;
    if (answer == SatAnswer::out_of_budget || result.size() == at_most) return std::nullopt;
    const std::uint64_t value = smt::Valuation(terms(), model)(term);
    result.push_back(value);
    const Term same = terms().equal(term, terms().constant(terms().width(term), value));
    others = terms().and_(others, terms().not_(same));
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace heddle::domain
