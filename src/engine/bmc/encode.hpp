// An unfolding as a satisfiability problem: an assignment is an execution, up to the
// order of steps that do not affect each other. Each read takes its value from one
// write; the solver keeps the order of all that free of cycles. Questions are asked
// by assuming one literal.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/bmc/options.hpp"
#include "engine/bmc/unfolder.hpp"
#include "smt/bitblast.hpp"
#include "smt/ordering.hpp"
#include "smt/static_order.hpp"

namespace heddle::engine::bmc {

class Encoder {
 public:
  Encoder(Round& round, const Options& options, Statistics& statistics);

  // True in assignments in which the property is broken; no() if nothing could break it.
  smt::Lit violation() const { return violation_; }
  // The same, but for those that are no executions since a guessed address is used too early.
  smt::Lit timely_violation() const { return timely_violation_; }
  // True in assignments that reach a place where the unfolding was cut.
  smt::Lit cut() const { return cut_; }
  smt::SatAnswer solve(smt::Lit assumed, const base::Budget& budget);
  // Never again the way in which the last assignment broke the property.
  void exclude_violation();

  // ---- after sat ----
  enum class BrokenBy { failure, race, deadlock };
  struct Broken {
    BrokenBy by = BrokenBy::failure;
    const Failure* failure = nullptr;
    const RacyAccess *first = nullptr, *second = nullptr;
    std::vector<const Wait*> stuck{};
    std::vector<ThreadIndex> ended{};  // of a deadlock: before the last moment
  };
  Broken broken() const;
  const Cut* cut_reached() const;  // null: a thread waits while another one may spin for ever
  std::uint64_t value(Term term) const { return (*evaluator_)(term); }
  std::vector<NodeIndex> order() const { return ordering_->order(); }
  // The moment at which the deadlock is looked at.
  NodeIndex end_node() const { return end_node_; }

 private:
  struct CellEvents {
    std::vector<const Event*> writes{}, reads{};
  };
  struct KnownWrite {
    NodeIndex node = first_node;
    Term guard{}, value{};
    smt::Write id = 0;
  };
  void order_nodes();
  void collect_events();
  // A read that its thread must have passed and that has but one source: both in order for sure.
  std::optional<std::pair<NodeIndex, NodeIndex>> forced_order() const;
  void freeze(const std::vector<std::pair<NodeIndex, NodeIndex>>& orders);
  bool surely_before(NodeIndex first, NodeIndex second) const {
    return fixed_.before(first, second);
  }
  void encode_memory();
  void encode_cell(const Cell& cell, const CellEvents& events);
  void encode_read(smt::Cell cell, const Event& read, smt::Lit happens,
                   const std::vector<KnownWrite>& writes);
  bool can_supply(const KnownWrite& write, const Event& read,
                  const std::vector<const KnownWrite*>& hiding) const;
  std::vector<const KnownWrite*> suppliers(const Event& read,
                                           const std::vector<KnownWrite>& writes) const;
  bool contradicts(Term required, Term variable, std::uint64_t value) const;
  Term initial_value(const Cell& cell) const;
  void encode_failures();
  void encode_races();
  void encode_race(const RacyAccess& a, const RacyAccess& b);
  void encode_deadlock();
  smt::Lit encode_spinning();  // true if some thread counts as spinning
  void wait_for_others(const Wait& wait, smt::Lit here, const std::vector<smt::Lit>& stuck);
  void encode_cuts();
  bool may_race(const RacyAccess& a, const RacyAccess& b) const;
  // A question that holds at `node`, before the process ends.
  void before_exits(smt::Lit when, NodeIndex node);
  void imply(smt::Lit when, smt::Lit then) { ordering_->add_clause({~when, then}); }
  void equate_if(smt::Lit when, Term left, Term right);
  smt::Lit any_of(const std::vector<smt::Lit>& literals);
  bool implies(Term first, Term second) const;

  Round& round_;
  const Unfolding& unfolding_;
  smt::Terms& terms_;
  const Options& options_;
  Statistics& statistics_;
  std::unique_ptr<smt::Ordering> ordering_;
  std::unique_ptr<smt::BitBlaster> blaster_;
  smt::StaticOrder fixed_{};
  std::map<Cell, CellEvents> by_cell_{};
  std::map<Cell, smt::Cell> cells_{};
  std::map<Cell, std::vector<KnownWrite>> writes_{};
  mutable std::map<std::pair<Term, Term>, bool> implied_{};
  std::vector<std::pair<smt::Lit, const Failure*>> failures_{};
  struct RacePair {
    smt::Lit chosen{};
    const RacyAccess *first = nullptr, *second = nullptr;
  };
  std::vector<RacePair> races_{};
  std::vector<std::pair<smt::Lit, const Cut*>> cuts_{};
  smt::Lit deadlock_{};
  smt::Lit deadlock_beside_spinning_{};  // if no thread that spins ever stops
  std::vector<std::pair<smt::Lit, const Wait*>> waits_{};
  // By thread: it has come to its end before the last moment; it spins and may never stop.
  std::vector<smt::Lit> ended_{}, spins_{};
  smt::Lit violation_{}, timely_violation_{}, cut_{};
  NodeIndex end_node_ = no_node;
  std::unique_ptr<smt::Terms::Evaluator> evaluator_{};
};

}  // namespace heddle::engine::bmc
