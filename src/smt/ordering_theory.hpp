// The theory of one strict order with memory cells, for a SAT solver that tells it
// which literals became true, in trail order. It turns literals into edges, derives
// the edges from a read to the writes that overwrite what it read, finds cycles, and
// names literals that follow. Knows nothing of the solver.
//
// After "ordering consistency" (He, Sun, Fan: Satisfiability modulo ordering
// consistency theory for multi-threaded program verification, PLDI 2021). We differ:
// reachability is kept in clocks over chains, so that what follows is complete for
// one step and costs one look, and reasons are searched only when asked for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "smt/ordering.hpp"
#include "smt/reachability.hpp"
#include "smt/static_order.hpp"

namespace heddle::smt {

// What the search does beyond looking for cycles. Switches, so that tests can compare.
struct TheoryOptions {
  // A literal whose edge would close a cycle is false.
  bool propagate_edges = true;
  // A read that comes after w', which comes after w, does not read from w if w' happens.
  bool propagate_overwritten = true;
  // A read from w that comes after w': then w' comes before w.
  bool propagate_serialization = true;
  // A read has one source.
  bool propagate_sources = true;
  // After so many conflicts (more each time) assume literals one by one and keep what follows.
  std::uint32_t probe_interval = 2000;  // 0: never
};

class OrderingTheory {
 public:
  // `fresh` makes a new variable of the solver.
  OrderingTheory(const TheoryOptions& options, std::function<Lit()> fresh, Lit yes);

  // ---- the problem; as in Ordering ----
  StaticOrder& fixed() { return fixed_; }
  const StaticOrder& fixed() const { return fixed_; }
  void freeze();  // the unconditional order is complete
  void add_order_if(Lit when, Node first, Node second);
  Lit before(Node first, Node second);
  Cell add_cell();
  Write add_write(Cell cell, Node node, Lit guard);
  void add_read(Cell cell, Node node, std::span<const Source> sources);

  // ---- the search ----
  // Forgets all that was assigned. Needed before the first assign() and after new constraints.
  void restart();
  bool watches(Lit literal) const {  // whether assign() wants to know
    return static_cast<std::size_t>(literal.code) < watched_.size() && watched_[literal.code];
  }
  // The literal became true at that place of the solver's trail. False: conflict() says why.
  bool assign(Lit literal, std::size_t trail_place);
  void undo_from(std::size_t trail_place);  // what was assigned there or later
  const std::vector<Lit>& conflict() const { return conflict_; }  // true literals, not all at once

  // Literals that follow from what was assigned. Taken one by one, in order.
  struct Implied {
    Lit literal{};
    std::uint32_t reason = 0;  // for explain(), until the assignment that made it is undone
  };
  bool has_implied() const { return next_implied_ < reasons_.size(); }
  Implied take_implied();
  // Appends true literals that imply it.
  void explain(std::uint32_t reason, std::vector<Lit>& literals) const;

  std::vector<Node> linear_order() const { return reachable_.linear_order(); }
  const OrderingStatistics& statistics() const { return statistics_; }

 private:
  using SourceId = std::uint32_t;
  using ReadId = std::uint32_t;

  // Those that are not false come first. Closing one swaps it to the end; opening undoes the
  // last closing.
  struct Choices {
    std::vector<SourceId> all{};
    std::uint32_t open = 0;
    std::span<const SourceId> not_false() const { return {all.data(), open}; }
  };
  struct WriteEvent {
    Cell cell;
    Node node;
    Lit guard;
    std::uint32_t index;  // among the writes of the cell
    Choices sources;
  };
  struct ReadEvent {
    Cell cell;
    Node node;
    Choices sources;
    std::uint32_t chosen = 0;  // how many sources are now true
  };
  struct SourceEvent {
    Write write;
    ReadId read;
    Lit chosen;
    std::uint32_t place_in_write = 0;
    std::uint32_t place_in_read = 0;
  };
  struct CellEvents {
    std::vector<Write> writes;
    std::vector<Write> by_place;  // sorted by chain and place
    std::vector<ReadId> reads;
    std::vector<std::vector<Lit>> before;  // [i][j]: write i before write j; invalid: nobody asks
    std::vector<SourceId> chosen;          // now true
  };
  // What a literal does once it is true.
  struct Use {
    enum class Kind : std::uint8_t { edge, source, no_source, guard, pair } kind;
    std::uint32_t
        first;  // edge: from; source, no_source, guard: its id; pair: the write that is first
    std::uint32_t second;  // edge: to; pair: the write that is second
  };
  // An edge that a literal would make, kept at the node where the edge starts.
  struct Candidate {
    StaticOrder::Chain chain;
    StaticOrder::Place place;
    Node to;
    Lit literal;
    auto key() const { return std::pair(chain, place); }
  };
  struct Path {
    Node from = 0;
    Node to = 0;  // the same as from: no path needed
  };
  struct Reason {
    Lit implied{};
    std::array<Lit, 2> literals{};
    std::array<Path, 2> paths{};
    std::uint32_t edges = 0;  // how many there were
  };
  struct Assigned {
    Lit literal{};
    std::size_t trail_place = 0;
    std::uint32_t edges = 0;  // how many there were before; so the others
    std::uint32_t reasons = 0;
    std::uint32_t chosen = 0;
    std::uint32_t closed = 0;
  };

  // ordering_problem.cpp: building
  void watch(Lit literal, Use use);
  void need_order(const SourceEvent& source, Write other);
  void sort_places();
  Lit& pair(Write first, Write second);

  // ordering_theory.cpp: the search
  bool is_true(Lit literal) const { return values_[literal.code]; }
  bool is_false(Lit literal) const { return values_[(~literal).code]; }
  bool is_open(Lit literal) const { return !is_true(literal) && !is_false(literal); }
  bool perform(const Use& use, Lit literal);
  bool choose(SourceId id);
  void close(SourceId id);
  void swap_away(Choices& choices, std::uint32_t SourceEvent::*place, SourceId id);
  bool happen(Write id);
  bool activate(const Edge& edge);
  bool derive(const SourceEvent& source, Write other);
  bool follow(const Reachability::Raise& raise);
  bool follow_reads(const Reachability::Raise& raise);
  bool follow_writes(const Reachability::Raise& raise);
  bool between(Write id, ReadId read);
  bool overwritten(const SourceEvent& source, Write other);
  bool imply(const Reason& reason, std::uint64_t& counter);
  std::span<const Write> places(const CellEvents& cell, const Reachability::Raise& raise) const;

  TheoryOptions options_;
  std::function<Lit()> fresh_;
  Lit yes_;
  StaticOrder fixed_{};
  Reachability reachable_;
  std::map<std::pair<Node, Node>, Lit> before_{};  // first node lower
  std::vector<CellEvents> cells_{};
  std::vector<WriteEvent> writes_{};
  std::vector<ReadEvent> reads_{};
  std::vector<SourceEvent> sources_{};
  std::vector<std::vector<Write>> writes_at_{};  // per node
  std::vector<std::vector<ReadId>> reads_at_{};
  std::vector<std::vector<Candidate>> candidates_{};
  bool sorted_ = true;

  std::vector<std::vector<Use>> uses_{};  // per literal
  std::vector<char> watched_{};           // per literal: it or its negation has uses
  std::vector<char> values_{};            // per literal: true now
  std::vector<Assigned> assigned_{};
  std::vector<SourceId> chosen_{};  // sources that became true, in order
  std::vector<SourceId> closed_{};  // and false
  std::vector<char> implied_{};     // per literal: among the reasons
  std::vector<Reason> reasons_{};
  std::size_t next_implied_ = 0;
  std::vector<Lit> conflict_{};
  OrderingStatistics statistics_{};
};

}  // namespace heddle::smt
