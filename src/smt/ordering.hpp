// Satisfiability modulo one strict order. Events are nodes; literals put them in
// order; memory cells tie reads to the writes that they read from. An assignment
// counts only if the order that it asks for has no cycle.
//
// What holds for each cell, over the writes whose guard is true: a read that takes
// its value from write w (its literal is true) comes after w, and every other write
// w' of that cell comes before w or after the read. That is what memory does when
// nodes happen one after the other.
//
// A node may hold reads and one write of a cell; the reads happen first. A read never
// takes its value from a write of its own node.
//
// Call in this order: nodes and unconditional orders; then the rest, as often as needed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "smt/sat.hpp"

namespace heddle::smt {

using Node = std::uint32_t;
using Cell = std::uint32_t;
using Write = std::uint32_t;

// The read takes its value from `write` if `chosen` is true.
struct Source {
  Write write = 0;
  Lit chosen{};
};

// What a solver did since it was made; zero where it does not count.
struct OrderingStatistics {
  std::uint64_t conflicts = 0;
  std::uint64_t cycles = 0;           // conflicts of the order
  std::uint64_t edges = 0;            // put in because of a literal
  std::uint64_t derived_edges = 0;    // from a read to a write that overwrites what it read
  std::uint64_t implied_edges = 0;    // literals that follow: the edge would close a cycle,
  std::uint64_t implied_sources = 0;  // the source is overwritten, or there is another one,
  std::uint64_t implied_guards = 0;   // the write would overwrite a source,
  std::uint64_t implied_orders = 0;   // the write comes before the source
  std::uint64_t failed_literals = 0;  // facts found by probing,
  std::uint64_t hyper_binaries = 0;   // and implications
};

class Ordering : public Sat {
 public:
  virtual Node add_node() = 0;
  virtual void add_order(Node first, Node second) = 0;  // unconditional

  // ---- once nodes and unconditional orders are complete ----
  // Ordered by unconditional orders alone.
  virtual bool surely_before(Node first, Node second) const = 0;
  virtual void add_order_if(Lit when, Node first, Node second) = 0;
  // True: first comes before second; false: second before first. before(a, b) is ~before(b, a),
  // and yes() or no() where the unconditional orders decide. The nodes differ.
  virtual Lit before(Node first, Node second) = 0;
  virtual Cell add_cell() = 0;
  // The guard says whether the write happens. At most one write of a cell in a node.
  virtual Write add_write(Cell cell, Node node, Lit guard) = 0;
  // Each chosen literal implies the guard of its write (the caller says so in clauses), and one
  // of them holds if the read happens. Writes added to the cell later count as well.
  virtual void add_read(Cell cell, Node node, std::span<const Source> sources) = 0;

  // After sat: all nodes, in an order that the assignment allows. Deterministic.
  virtual std::vector<Node> order() const = 0;

  virtual OrderingStatistics statistics() const { return {}; }
};

}  // namespace heddle::smt
