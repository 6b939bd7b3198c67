#include "smt/minisat_ordering.hpp"

#include "base/check.hpp"
#include "smt/minisat_search.hpp"

namespace heddle::smt {
namespace {

class MinisatOrdering final : public Ordering {
 public:
  explicit MinisatOrdering(const TheoryOptions& options)
      : options_(options),
        theory_(
            options, [this] { return fresh(); }, make_yes()) {}
  MinisatOrdering(const MinisatOrdering&) = delete;
  MinisatOrdering& operator=(const MinisatOrdering&) = delete;

  using Sat::add_clause;
  Lit fresh() override { return search_.fresh(); }
  void add_clause(std::span<const Lit> literals) override { search_.add_clause(literals); }
  SatAnswer solve(std::span<const Lit> assumptions, const base::Budget& budget) override {
    return search_.solve(theory_, options_, assumptions, budget);
  }
  bool value(Lit literal) const override { return search_.value_in_model(literal); }

  Node add_node() override { return theory_.fixed().add_node(); }
  void add_order(Node first, Node second) override { theory_.fixed().add_edge(first, second); }
  bool surely_before(Node first, Node second) const override {
    theory_.freeze();
    return theory_.fixed().before(first, second);
  }
  void add_order_if(Lit when, Node first, Node second) override {
    theory_.freeze();
    if (impossible(first, second)) add_clause({~when});
    theory_.add_order_if(when, first, second);
  }
  Lit before(Node first, Node second) override {
    theory_.freeze();
    return theory_.before(first, second);
  }
  Cell add_cell() override { return theory_.add_cell(); }
  Write add_write(Cell cell, Node node, Lit guard) override {
    theory_.freeze();
    write_nodes_.push_back(node);
    return theory_.add_write(cell, node, guard);
  }
  void add_read(Cell cell, Node node, std::span<const Source> sources) override {
    theory_.freeze();
    theory_.add_read(cell, node, sources);
    for (const auto& [write, chosen] : sources) {
      // A source that is chosen decides much; one that is not, next to nothing.
      search_.try_true_first(chosen);
      if (impossible(write_nodes_[write], node)) add_clause({~chosen});
    }
  }
  std::vector<Node> order() const override { return search_.order(); }
  OrderingStatistics statistics() const override {
    OrderingStatistics statistics = theory_.statistics();
    search_.count_into(statistics);
    return statistics;
  }

 private:
  Lit make_yes() {
    yes_ = search_.fresh();
    search_.add_clause(std::span<const Lit>(&yes_, 1));
    return yes_;
  }
  bool impossible(Node first, Node second) const {
    return first == second || theory_.fixed().before(second, first);
  }

  TheoryOptions options_;
  MinisatSearch search_{};
  mutable OrderingTheory theory_;  // frozen by the first question
  std::vector<Node> write_nodes_{};
};

}  // namespace

std::unique_ptr<Ordering> make_theory_ordering(const TheoryOptions& options) {
  return std::make_unique<MinisatOrdering>(options);
}

}  // namespace heddle::smt
