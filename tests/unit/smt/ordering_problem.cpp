#include "unit/smt/ordering_problem.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace heddle::smt {
namespace {

// The distributions of the standard library differ between libraries; this does not.
std::uint32_t below(std::mt19937_64& random, std::uint32_t bound) {
  return static_cast<std::uint32_t>(random() % bound);
}

class Maker {
 public:
  Maker(std::mt19937_64& random, const ProblemSize& size) : random_(random), size_(size) {}

  Problem make() {
    problem_.nodes = 2 + below(random_, size_.nodes - 1);
    problem_.cells = 1 + below(random_, size_.cells);
    problem_.variables = 1 + below(random_, 3);
    add_orders();
    for (std::uint32_t stage = 0; stage < size_.stages; ++stage) {
      const std::uint32_t writes = below(random_, size_.writes / size_.stages + 2);
      for (std::uint32_t count = 0; count < writes; ++count) add_write();
      const std::uint32_t reads = below(random_, size_.reads / size_.stages + 2);
      for (std::uint32_t count = 0; count < reads; ++count) add_read();
      const std::uint32_t clauses = below(random_, size_.clauses / size_.stages + 1);
      for (std::uint32_t count = 0; count < clauses; ++count) add_clause();
      if (below(random_, 2) == 0) add_order_if();
      problem_.stages.push_back(problem_.constraints.size());
      problem_.assumptions.emplace_back();
      for (std::uint32_t count = below(random_, 3); count > 0; --count)
        problem_.assumptions.back().push_back(fact());
    }
    problem_.stages.push_back(problem_.constraints.size());
    problem_.assumptions.emplace_back();
    return problem_;
  }

 private:
  Node node() { return below(random_, problem_.nodes); }

  Fact fact() {
    Fact fact;
    fact.negated = below(random_, 2) == 0;
    fact.is_order = below(random_, 3) == 0;
    if (fact.is_order) {
      fact.first = node();
      fact.second = (fact.first + 1 + below(random_, problem_.nodes - 1)) % problem_.nodes;
    } else {
      fact.variable = below(random_, problem_.variables);
    }
    return fact;
  }

  void add_orders() {
    std::vector<Node> shuffled(problem_.nodes);
    std::iota(shuffled.begin(), shuffled.end(), Node{0});
    for (std::uint32_t at = problem_.nodes; at > 1; --at)
      std::swap(shuffled[at - 1], shuffled[below(random_, at)]);
    const std::uint32_t rarity = 2 + below(random_, 2 * size_.nodes);
    for (std::uint32_t second = 1; second < problem_.nodes; ++second)
      for (std::uint32_t first = 0; first < second; ++first)
        if (below(random_, rarity) == 0)
          problem_.orders.emplace_back(shuffled[first], shuffled[second]);
  }

  void add_write() {
    Constraint write;
    write.kind = Constraint::Kind::write;
    write.cell = below(random_, problem_.cells);
    write.node = node();
    for (const Constraint& other : writes_)
      if (other.cell == write.cell && other.node == write.node) return;
    if (below(random_, 3) != 0) write.facts.push_back(fact());  // none: always
    problem_.constraints.push_back(write);
    writes_.push_back(write);
  }

  void add_read() {
    Constraint read;
    read.kind = Constraint::Kind::read;
    read.cell = below(random_, problem_.cells);
    read.node = node();
    for (const auto& [cell, at] : reads_)
      if (cell == read.cell && at == read.node) return;
    Constraint some;
    for (std::uint32_t write = 0; write < writes_.size(); ++write) {
      if (writes_[write].cell != read.cell || writes_[write].node == read.node) continue;
      if (read.writes.size() >= size_.sources || problem_.variables >= size_.variables) break;
      if (below(random_, 5) == 0) continue;
      read.writes.push_back(write);
      read.chosen.push_back(problem_.variables++);
      some.facts.push_back({.variable = read.chosen.back()});
      if (writes_[write].facts.empty()) continue;
      problem_.constraints.push_back(
          {.facts = {{.variable = read.chosen.back(), .negated = true}, writes_[write].facts[0]}});
    }
    if (read.writes.empty()) return;
    reads_.emplace_back(read.cell, read.node);
    problem_.constraints.push_back(read);
    if (below(random_, 3) == 0) some.facts.push_back(fact());
    problem_.constraints.push_back(some);
  }

  void add_clause() {
    Constraint clause;
    for (std::uint32_t count = 2 + below(random_, 2); count > 0; --count)
      clause.facts.push_back(fact());
    problem_.constraints.push_back(clause);
  }

  void add_order_if() {
    problem_.constraints.push_back(
        {.kind = Constraint::Kind::order_if, .facts = {fact()}, .first = node(), .second = node()});
  }

  std::mt19937_64& random_;
  const ProblemSize& size_;
  Problem problem_{};
  std::vector<Constraint> writes_{};
  std::vector<std::pair<Cell, Node>> reads_{};
};

class Judge {
 public:
  Judge(const Problem& problem, std::size_t count, std::span<const Node> order,
        const std::vector<char>& values)
      : problem_(problem), count_(count), values_(values), place_(problem.nodes) {
    for (std::uint32_t at = 0; at < order.size(); ++at) place_[order[at]] = at;
  }

  bool is_true(const Fact& fact) const {
    const bool positive =
        fact.is_order ? place_[fact.first] < place_[fact.second] : values_[fact.variable] != 0;
    return positive != fact.negated;
  }

  bool all_hold() const {
    for (const auto& [first, second] : problem_.orders)
      if (place_[first] >= place_[second]) return false;
    for (std::size_t at = 0; at < count_; ++at)
      if (!holds(problem_.constraints[at])) return false;
    return true;
  }

 private:
  bool holds(const Constraint& constraint) const {
    switch (constraint.kind) {
      case Constraint::Kind::clause:
        return std::any_of(constraint.facts.begin(), constraint.facts.end(),
                           [&](const Fact& fact) { return is_true(fact); });
      case Constraint::Kind::order_if:
        return !is_true(constraint.facts[0]) ||
               place_[constraint.first] < place_[constraint.second];
      case Constraint::Kind::write:
        return true;
      case Constraint::Kind::read:
        break;
    }
    for (std::size_t at = 0; at < constraint.writes.size(); ++at)
      if (values_[constraint.chosen[at]] != 0 && !reads_from(constraint, constraint.writes[at]))
        return false;
    return true;
  }

  bool reads_from(const Constraint& read, std::uint32_t source) const {
    std::vector<const Constraint*> writes;
    for (std::size_t at = 0; at < count_; ++at)
      if (problem_.constraints[at].kind == Constraint::Kind::write)
        writes.push_back(&problem_.constraints[at]);
    const std::uint32_t from = place_[writes[source]->node];
    const std::uint32_t to = place_[read.node];
    if (from >= to) return false;
    for (const Constraint* write : writes) {
      if (write->cell != read.cell) continue;
      if (!write->facts.empty() && !is_true(write->facts[0])) continue;
      const std::uint32_t between = place_[write->node];
      if (from < between && between < to) return false;
    }
    return true;
  }

  const Problem& problem_;
  std::size_t count_;
  const std::vector<char>& values_;
  std::vector<std::uint32_t> place_;
};

}  // namespace

Problem random_problem(std::mt19937_64& random, const ProblemSize& size) {
  return Maker(random, size).make();
}

bool holds(const Problem& problem, std::size_t count, std::span<const Fact> assumptions,
           std::span<const Node> order, const std::vector<char>& values) {
  const Judge judge(problem, count, order, values);
  return std::all_of(assumptions.begin(), assumptions.end(),
                     [&](const Fact& fact) { return judge.is_true(fact); }) &&
         judge.all_hold();
}

bool satisfiable(const Problem& problem, std::size_t count, std::span<const Fact> assumptions) {
  std::vector<Node> order(problem.nodes);
  std::iota(order.begin(), order.end(), Node{0});
  do {
    std::vector<char> values(problem.variables, 0);
    Problem only_orders{.nodes = problem.nodes, .orders = problem.orders};
    if (!holds(only_orders, 0, {}, order, values)) continue;
    for (std::uint64_t bits = 0; bits >> problem.variables == 0; ++bits) {
      for (std::uint32_t at = 0; at < problem.variables; ++at) values[at] = (bits >> at) & 1;
      if (holds(problem, count, assumptions, order, values)) return true;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

Loaded::Loaded(const Problem& problem, Ordering& solver) : problem_(problem), solver_(solver) {
  for (std::uint32_t count = 0; count < problem.nodes; ++count) solver.add_node();
  for (const auto& [first, second] : problem.orders) solver.add_order(first, second);
  for (std::uint32_t count = 0; count < problem.variables; ++count)
    variables_.push_back(solver.fresh());
  for (std::uint32_t count = 0; count < problem.cells; ++count) solver.add_cell();
}

Lit Loaded::literal(const Fact& fact) const {
  const Lit positive =
      fact.is_order ? solver_.before(fact.first, fact.second) : variables_[fact.variable];
  return fact.negated ? ~positive : positive;
}

void Loaded::add(const Constraint& constraint) {
  std::vector<Lit> literals;
  for (const Fact& fact : constraint.facts) literals.push_back(literal(fact));
  switch (constraint.kind) {
    case Constraint::Kind::clause:
      solver_.add_clause(literals);
      break;
    case Constraint::Kind::order_if:
      solver_.add_order_if(literals[0], constraint.first, constraint.second);
      break;
    case Constraint::Kind::write:
      writes_.push_back(solver_.add_write(constraint.cell, constraint.node,
                                          literals.empty() ? solver_.yes() : literals[0]));
      break;
    case Constraint::Kind::read: {
      std::vector<Source> sources;
      for (std::size_t at = 0; at < constraint.writes.size(); ++at)
        sources.push_back({writes_[constraint.writes[at]], variables_[constraint.chosen[at]]});
      solver_.add_read(constraint.cell, constraint.node, sources);
      break;
    }
  }
}

SatAnswer Loaded::solve(std::size_t stage) {
  for (; added_ < problem_.stages[stage]; ++added_) add(problem_.constraints[added_]);
  std::vector<Lit> assumptions;
  for (const Fact& fact : problem_.assumptions[stage]) assumptions.push_back(literal(fact));
  return solver_.solve(assumptions, base::Budget());
}

std::string Loaded::model_error(std::size_t stage) const {
  const std::vector<Node> order = solver_.order();
  std::vector<Node> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (Node node = 0; node < problem_.nodes; ++node)
    if (sorted.size() != problem_.nodes || sorted[node] != node) return "not every node once";
  std::vector<char> values;
  for (const Lit variable : variables_) values.push_back(solver_.value(variable));
  if (!holds(problem_, problem_.stages[stage], problem_.assumptions[stage], order, values))
    return "the order and the values break a constraint";
  const Judge judge(problem_, 0, order, values);
  for (std::size_t at = 0; at < problem_.stages[stage]; ++at)
    for (const Fact& fact : problem_.constraints[at].facts)
      if (solver_.value(literal(fact)) != judge.is_true(fact))
        return "a literal and the order differ";
  return {};
}

}  // namespace heddle::smt
