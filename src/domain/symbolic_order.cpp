// Comparing symbolic stores, and joining them.
#include <algorithm>
#include <map>
#include <set>

#include "base/check.hpp"
#include "domain/cells.hpp"
#include "domain/symbolic.hpp"
#include "domain/term_match.hpp"

namespace heddle::domain {

using smt::Term;

namespace {

const SymbolicStore& same_kind(const Store& other) {
  const auto* store = dynamic_cast<const SymbolicStore*>(&other);
  CHECK(store != nullptr, "both stores are of one domain");
  return *store;
}

}  // namespace

bool SymbolicStore::covers(const Store& store) const {
  const SymbolicStore& other = same_kind(store);
  CHECK(entries_.size() == other.entries_.size(), "stores that are compared have the same cells");
  tidy();
  other.tidy();
  TermMatch match(terms());
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (!match.match(entries_[i].term, other.entries_[i].term)) return false;
  return match_path(other, match);
}

// Our inputs stand for terms of the other's inputs; what we assume of ours must hold of those.
bool SymbolicStore::match_path(const SymbolicStore& other, TermMatch& match) const {
  std::vector<Term> certain;
  for (const Term condition : path_) {
    const std::vector<Term>& used = solver_->variables().of(condition);
    if (std::all_of(used.begin(), used.end(),
                    [&](Term variable) { return match.bound().contains(variable); })) {
      certain.push_back(condition);
      continue;
    }
    // An input that no cell shows may be any that makes the condition true.
    if (std::none_of(other.path_.begin(), other.path_.end(),
                     [&](Term its) { return match.match(condition, its); }))
      return false;
  }
  smt::Substitution renamed(terms());
  for (const auto& [variable, term] : match.bound()) renamed.replace(variable, term);
  return std::all_of(certain.begin(), certain.end(),
                     [&](Term condition) { return other.implies(renamed(condition)); });
}

bool SymbolicStore::implies(Term condition) const {
  if (terms().is_constant(condition)) return terms().is_true(condition);
  if (std::find(path_.begin(), path_.end(), condition) != path_.end()) return true;
  smt::Model model = model_;
  return possible(terms().not_(condition), model) == smt::SatAnswer::unsat;
}

void SymbolicStore::join(const Store& store) {
  const SymbolicStore& other = same_kind(store);
  if (covers(other)) return;
  tidy_ = false;
  inexact_ = true;
  // Cells that are the same in both stay the same.
  std::map<std::pair<Term, Term>, Term> joined;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    CHECK(entries_[i].cell == other.entries_[i].cell, "stores that are joined have the same cells");
    const std::pair<Term, Term> both{entries_[i].term, other.entries_[i].term};
    if (both.first == both.second) continue;
    const auto [place, is_new] = joined.try_emplace(both);
    if (is_new) place->second = terms().variable(entries_[i].cell.width);
    entries_[i].term = place->second;
  }
  const std::set<Term> its(other.path_.begin(), other.path_.end());
  std::erase_if(path_, [&](Term condition) { return !its.contains(condition); });
}

std::uint64_t SymbolicStore::hash() const {
  std::uint64_t hash = hash_without_names(terms(), cell_terms());
  for (const Entry& entry : entries_) hash = base::combine(hash, hash_of(entry.cell));
  return hash;
}

}  // namespace heddle::domain
