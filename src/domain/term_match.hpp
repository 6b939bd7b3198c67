// Matches terms with terms: which term each variable of the one must stand for so that it
// becomes the other. By structure alone, so that a match is certain and its lack is not.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "smt/term.hpp"

namespace heddle::domain {

class TermMatch {
 public:
  explicit TermMatch(const smt::Terms& terms) : terms_(terms) {}

  // Binds more variables; after a failure nothing has changed.
  bool match(smt::Term pattern, smt::Term term);
  const std::map<smt::Term, smt::Term>& bound() const { return bound_; }

 private:
  const smt::Terms& terms_;
  std::map<smt::Term, smt::Term> bound_{};
  std::set<std::pair<smt::Term, smt::Term>> matched_{};
};

// Equal for terms that differ in the names of their variables only.
std::uint64_t hash_without_names(const smt::Terms& terms, const std::vector<smt::Term>& roots);

}  // namespace heddle::domain
