// The graph as Horn clauses. Only nodes from which something wrong may be reached get a predicate,
// and only what may decide about that is an argument of it.
#pragma once

#include <utility>
#include <vector>

#include "engine/sequential/explorer.hpp"
#include "engine/sequential/proof.hpp"
#include "smt/horn.hpp"

namespace heddle::engine::sequential {

class Clauses {
 public:
  // Both must outlive it.
  Clauses(const Graph& graph, Arithmetic& arithmetic);

  const smt::HornSystem& system() const { return system_; }
  bool any_wrong() const { return any_wrong_; }  // else there is nothing to solve
  // By node; where there is no predicate: true.
  std::vector<NodeFormula> formulas(const smt::HornResult& result) const;

 private:
  void find_dangerous();
  void find_relevant();
  void mark_relevant(std::size_t node, Integer used, std::vector<std::size_t>& todo);
  void add(const Transition& step);
  bool leads_to_wrong(const Transition& step) const { return !step.to || dangerous_[*step.to]; }
  // The variable that stands for an argument in what leaves the node.
  static Integer formal(const Node& node, VariableIndex variable);

  const Graph& graph_;
  Arithmetic& arithmetic_;
  std::vector<bool> dangerous_{};              // by node
  std::vector<std::vector<bool>> relevant_{};  // by node and position among its arguments
  std::vector<smt::Predicate> predicates_{};   // by node
  smt::HornSystem system_{};
  bool any_wrong_ = false;
};

}  // namespace heddle::engine::sequential
