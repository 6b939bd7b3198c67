// Walks over terms that are given, without recursion: which variables there are, the value
// under an assignment of few, and what becomes of a term when variables are replaced.
// Cost is that of the terms walked, however many others there are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "smt/term.hpp"

namespace heddle::smt {

// Values of variables; those that are not there are 0.
using Model = std::map<Term, std::uint64_t>;

class Valuation {
 public:
  // Both must outlive it, and the model stays as it is.
  Valuation(const Terms& terms, const Model& model) : terms_(terms), model_(model) {}
  std::uint64_t operator()(Term term);

 private:
  const Terms& terms_;
  const Model& model_;
  std::unordered_map<std::uint32_t, std::uint64_t> values_{};
};

class Substitution {
 public:
  explicit Substitution(Terms& terms) : terms_(terms) {}

  void replace(Term variable, Term by) { results_.insert_or_assign(variable.id, by); }
  Term operator()(Term term);

 private:
  Terms& terms_;
  std::unordered_map<std::uint32_t, Term> results_{};
};

// Remembers the answer for each term asked.
class Variables {
 public:
  explicit Variables(const Terms& terms) : terms_(terms) {}
  const std::vector<Term>& of(Term term);  // rising; the reference stays good

 private:
  const Terms& terms_;
  std::unordered_map<std::uint32_t, std::unique_ptr<std::vector<Term>>> known_{};
};

}  // namespace heddle::smt
