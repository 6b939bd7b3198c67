// Random ordering problems as plain data, so that several solvers can be given the
// same one and every answer can be checked by its definition.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "smt/ordering.hpp"

namespace heddle::smt {

// A truth about the problem: a free variable, or that one node comes before another.
struct Fact {
  bool is_order = false;
  std::uint32_t variable = 0;  // if not is_order
  Node first = 0, second = 0;  // if is_order; different
  bool negated = false;
};

struct Constraint {
  enum class Kind { clause, order_if, write, read } kind = Kind::clause;
  std::vector<Fact> facts{};            // clause: its literals; order_if, write: the condition
  Node first = 0, second = 0;           // order_if
  Cell cell = 0;                        // write, read
  Node node = 0;                        // write, read
  std::vector<std::uint32_t> writes{};  // read: numbers of the writes it may read from,
  std::vector<std::uint32_t> chosen{};  // and the variables that choose them
};

struct Problem {
  std::uint32_t nodes = 0;
  std::uint32_t variables = 0;
  std::uint32_t cells = 0;
  std::vector<std::pair<Node, Node>> orders{};
  std::vector<Constraint> constraints{};
  std::vector<std::size_t> stages{};             // solve after so many constraints,
  std::vector<std::vector<Fact>> assumptions{};  // under these
};

struct ProblemSize {
  std::uint32_t nodes = 5;
  std::uint32_t cells = 2;
  std::uint32_t writes = 4;
  std::uint32_t reads = 3;
  std::uint32_t sources = 2;    // of a read, at most
  std::uint32_t variables = 8;  // at most, except that every read has one source
  std::uint32_t clauses = 8;
  std::uint32_t stages = 2;
};

Problem random_problem(std::mt19937_64& random, const ProblemSize& size);

// Whether the first `count` constraints and the assumptions hold when the node at
// order[i] comes i-th.
bool holds(const Problem& problem, std::size_t count, std::span<const Fact> assumptions,
           std::span<const Node> order, const std::vector<char>& values);

// Tries all orders and assignments.
bool satisfiable(const Problem& problem, std::size_t count, std::span<const Fact> assumptions);

// One problem inside one solver.
class Loaded {
 public:
  Loaded(const Problem& problem, Ordering& solver);
  SatAnswer solve(std::size_t stage);  // in order, from 0; adds what is new first
  // After sat: nothing if the model is right.
  std::string model_error(std::size_t stage) const;

 private:
  Lit literal(const Fact& fact) const;
  void add(const Constraint& constraint);

  const Problem& problem_;
  Ordering& solver_;
  std::vector<Lit> variables_{};
  std::vector<Write> writes_{};
  std::size_t added_ = 0;
};

}  // namespace heddle::smt
