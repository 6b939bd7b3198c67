#include "domain/term_match.hpp"

#include <unordered_map>
#include <vector>

#include "base/hash.hpp"
#include "smt/fold.hpp"

namespace heddle::domain {

using smt::Term;
using smt::TermNode;
using smt::TermOp;

bool TermMatch::match(Term pattern, Term term) {
  std::vector<std::pair<Term, Term>> open{{pattern, term}};
  auto bound = bound_;
  auto matched = matched_;
  while (!open.empty()) {
    const auto [mine, its] = open.back();
    open.pop_back();
    if (terms_.is_constant(mine) && mine == its) continue;
    if (!matched.emplace(mine, its).second) continue;
    const TermNode &left = terms_.node(mine), &right = terms_.node(its);
    if (left.width != right.width) return false;
    if (left.op == TermOp::variable) {
      if (bound.try_emplace(mine, its).first->second != its) return false;
      continue;
    }
    if (left.op != right.op || left.payload != right.payload) return false;
    // The operands of what commutes have the order of their making, which may differ.
    const auto alike = [&](std::size_t a, std::size_t b) {
      return terms_.node(left.args[a]).op == terms_.node(right.args[b]).op;
    };
    const bool crossed =
        smt::is_commutative(left.op) && !(alike(0, 0) && alike(1, 1)) && alike(0, 1) && alike(1, 0);
    for (std::size_t i = 0; i < left.arity; ++i)
      open.emplace_back(left.args[i], right.args[crossed ? 1 - i : i]);
  }
  bound_ = std::move(bound);
  matched_ = std::move(matched);
  return true;
}

std::uint64_t hash_without_names(const smt::Terms& terms, const std::vector<Term>& roots) {
  std::unordered_map<std::uint32_t, std::uint64_t> hashes;
  std::uint64_t variables = 0, result = 0;
  for (const Term root : roots) {
    std::vector<Term> open{root};
    while (!open.empty()) {
      const Term at = open.back();
      if (hashes.contains(at.id)) {
        open.pop_back();
        continue;
      }
      const TermNode& node = terms.node(at);
      const std::size_t before = open.size();
      for (const Term arg : node.operands())
        if (!hashes.contains(arg.id)) open.push_back(arg);
      if (open.size() != before) continue;
      open.pop_back();
      std::uint64_t hash = base::combine(static_cast<std::uint64_t>(node.op) << 8 | node.width,
                                         node.op == TermOp::variable ? variables++ : node.payload);
      for (const Term arg : node.operands()) hash = base::combine(hash, hashes.at(arg.id));
      hashes.emplace(at.id, hash);
    }
    result = base::combine(result, hashes.at(root.id));
  }
  return result;
}

}  // namespace heddle::domain
