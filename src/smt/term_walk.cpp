#include "smt/term_walk.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "smt/fold.hpp"

namespace heddle::smt {
namespace {

// Visits what `term` is made of, operands first, where `done` does not say that it was visited.
template <class Done, class Visit>
void visit_bottom_up(const Terms& terms, Term term, const Done& done, const Visit& visit) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term current = open.back();
    if (done(current)) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    for (const Term arg : terms.node(current).operands())
      if (!done(arg)) open.push_back(arg);
    if (open.size() != before) continue;
    open.pop_back();
    visit(current);
  }
}

}  // namespace

std::uint64_t Valuation::operator()(Term term) {
  visit_bottom_up(
      terms_, term, [&](Term at) { return values_.contains(at.id); },
      [&](Term at) {
        const TermNode& shape = terms_.node(at);
        if (shape.op == TermOp::variable) {
          const auto found = model_.find(at);
          values_[at.id] = found == model_.end() ? 0 : found->second & mask_of(shape.width);
          return;
        }
        std::array<std::uint64_t, 3> operands{};
        for (std::size_t i = 0; i < shape.arity; ++i) operands[i] = values_[shape.args[i].id];
        values_[at.id] = terms_.apply(at, operands);
      });
  return values_[term.id];
}

Term Substitution::operator()(Term term) {
  visit_bottom_up(
      terms_, term, [&](Term at) { return results_.contains(at.id); },
      [&](Term at) {
        const TermNode shape = terms_.node(at);
        std::array<Term, 3> operands{};
        bool same = true;
        for (std::size_t i = 0; i < shape.arity; ++i) {
          operands[i] = results_.at(shape.args[i].id);
          same = same && operands[i] == shape.args[i];
        }
        const Term result = same ? at : terms_.rebuild(at, {operands.data(), shape.arity});
        results_.insert_or_assign(at.id, result);
      });
  return results_.at(term.id);
}

const std::vector<Term>& Variables::of(Term term) {
  const auto found = known_.find(term.id);
  if (found != known_.end()) return *found->second;
  std::unordered_set<std::uint32_t> seen;
  auto result = std::make_unique<std::vector<Term>>();
  visit_bottom_up(
      terms_, term, [&](Term at) { return seen.contains(at.id); },
      [&](Term at) {
        seen.insert(at.id);
        if (terms_.node(at).op == TermOp::variable) result->push_back(at);
      });
  std::sort(result->begin(), result->end());
  return *known_.emplace(term.id, std::move(result)).first->second;
}

}  // namespace heddle::smt
