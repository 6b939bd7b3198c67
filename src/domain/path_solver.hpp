// Whether conditions on inputs can hold together, and with which inputs. Cheap means
// first: models found before, answers given before, and of a path only the conditions
// that share inputs with the question.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "smt/bitblast.hpp"
#include "smt/cadical.hpp"
#include "smt/sat.hpp"
#include "smt/term.hpp"
#include "smt/term_walk.hpp"

namespace heddle::domain {

class PathSolver {
 public:
  struct Statistics {
    std::uint64_t asked = 0;
    std::uint64_t by_model = 0;   // answered by a model found before
    std::uint64_t by_answer = 0;  // answered by an answer given before
    std::uint64_t solved = 0;     // left to the SAT solver
    std::uint64_t gave_up = 0;    // of these: without an answer
  };

  explicit PathSolver(smt::Effort effort) : effort_(effort), variables_(terms_) { reset(); }

  smt::Terms& terms() { return terms_; }
  smt::Variables& variables() { return variables_; }
  void set_budget(const base::Budget& budget) { budget_ = budget; }
  const Statistics& statistics() const { return statistics_; }

  // Whether all hold under some values of the variables. If so, those of the variables that occur
  // are put into the model; other variables of the model stay.
  smt::SatAnswer satisfiable(std::vector<smt::Term> conditions, smt::Model& model);
  // Those of the path that matter to a question about these terms: the ones connected with them by
  // common variables. If the path can hold at all, the others can hold whatever the answer is.
  std::vector<smt::Term> related(std::span<const smt::Term> path, std::span<const smt::Term> asked);
  bool holds(std::span<const smt::Term> conditions, const smt::Model& model) const;

 private:
  static constexpr std::size_t most_models = 12;
  static constexpr std::uint64_t most_gates = 4'000'000;
  static constexpr std::size_t most_answers = 200'000;

  struct Answer {
    smt::SatAnswer answer = smt::SatAnswer::out_of_budget;
    smt::Model model{};  // of the variables that occur
  };

  void reset();
  smt::SatAnswer solve(const std::vector<smt::Term>& conditions, smt::Model& found);
  smt::Model restricted(const std::vector<smt::Term>& conditions, const smt::Model& model);

  smt::Effort effort_;
  smt::Terms terms_{};
  smt::Variables variables_;
  std::unique_ptr<smt::Sat> sat_{};
  std::unique_ptr<smt::BitBlaster> blaster_{};
  std::map<std::vector<smt::Term>, Answer> answers_{};
  std::deque<smt::Model> models_{};  // the latest first
  base::Budget budget_{};
  Statistics statistics_{};
};

}  // namespace heddle::domain
