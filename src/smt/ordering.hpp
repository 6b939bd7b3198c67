// Satisfiability modulo one strict order. Events are nodes; literals put them in
// order; memory cells tie reads to the writes that they read from. An assignment
// counts only if the order that it asks for has no cycle.
//
// What holds for each cell, over the writes whose guard is true: a read that takes
// its value from write w (its literal is true) comes after w, and every other write
// w' of that cell comes before w or after the read. That is what memory does when
// nodes happen one after the other.
//
// A node may hold one read and one write of a cell; the read happens first. A read
// never takes its value from a write of its own node.
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
};

}  // namespace heddle::smt
