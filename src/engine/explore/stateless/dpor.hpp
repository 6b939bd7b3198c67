// The stateless search: runs executions one after another, from start to end, and
// keeps nothing but the one that it is in. Of executions that differ only in the
// order of independent events it runs one (optimal dynamic partial-order reduction:
// Abdulla, Aronis, Jonsson, Sagonas, "Source Sets", 2017).
//
// Where we differ: a thread may wait for any condition on memory, not for locks alone,
// so an event may be moved before others only where it would not wait (see
// dpor_races.cpp); the end of the process waits until nobody else can go on.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "engine/engine.hpp"
#include "engine/explore/inputs.hpp"
#include "engine/explore/options.hpp"
#include "engine/explore/search.hpp"
#include "engine/explore/stateless/runner.hpp"
#include "engine/explore/stateless/trace.hpp"
#include "engine/explore/stateless/wakeup_tree.hpp"

namespace heddle::engine::explore {

class Dpor {
 public:
  // All references must outlive the search.
  struct Setting {
    const ir::Program& program;
    const verdict::Property& property;
    const machine::Machine& machine;
    const Locality& locality;
    SharingAudit& audit;
    Inputs& inputs;
    const base::Budget& budget;
    Listener& listener;
    Statistics& statistics;
    const Options& options;
  };
  Dpor(const Setting& setting, std::size_t input_cap, Sections sections);

  SearchResult run();
  // Sections did not wait as a whole after all: the search must be done again with split ones.
  bool needs_split_sections() const { return needs_split_sections_; }

 private:
  // Why a thread has no event for now.
  struct Idle {
    Ending why = Ending::ended;
    Footprint footprint{};  // it may have one once somebody writes here
    std::size_t before_waiting = 0;
    std::vector<std::uint64_t> inputs{};
    bool for_good = false;  // it has come back to where it was before, and would so again
  };
  // A state of the current execution, with what is still to be explored from there.
  struct Node {
    machine::State state{};
    Names names{};
    std::vector<Action> sleep{};  // explored already, from here or from before
    std::vector<Branch> branches{};
    std::vector<std::shared_ptr<const Idle>> idle{};  // by thread; null: not known to be
    bool begun = false;                               // the first branch has been chosen
    std::uint64_t explored = 0;                       // branches done
    std::uint64_t steps = 0;                          // of the way here
  };
  // What a thread could do next, with some choice of inputs.
  struct Offer {
    std::vector<std::uint64_t> inputs{};
    EventRun run{};
    machine::State state{};
    Names names{};
  };

  // -- the search --
  void begin();
  void advance();
  void backtrack();
  Offer take_first(Node& node, Branch& branch);
  Node successor(const Node& node, Offer offer, const Event& event, Branch branch);
  void wake(Node& next, const Action& action);
  void stop_repeating(ThreadNumber thread);
  std::vector<Offer> offers(const machine::State& state, const Names& names, ThreadNumber thread);
  void add_offers(const machine::State& state, const Names& names, ThreadNumber thread,
                  std::vector<std::uint64_t> inputs, std::vector<Offer>& found);
  static std::shared_ptr<const Idle> idle_of(const std::vector<Offer>& offers);

  // -- the end of an execution --
  void complete();
  void check_deadlock();
  void check_leak();
  void reverse_races();

  // -- races --
  enum class Occurs { now, not_yet };
  void find_races(Event& event, Occurs occurs);
  std::vector<Offer> offers_before(Position first, Position at, ThreadNumber thread);
  std::optional<std::vector<Offer>> offers_beside(Position first, Position at, ThreadNumber thread);
  bool report_race(Position first, const Offer& offer, ThreadNumber thread);
  void reverse(const Race& race, Position second);
  void plant(Position at, Sequence sequence);
  bool plant_source(Node& node, const Action* current, const Sequence& sequence);

  // -- reports --
  struct Way {
    std::vector<verdict::Step> steps{};
    machine::State state{};
    Names names{};
  };
  Way way_to(Position end, std::optional<Position> without) const;
  void report(std::vector<verdict::Step> steps, verdict::Violation violation);
  void note_cut(verdict::Gap gap, std::string detail, ir::EdgeId edge);
  void note_run(const EventRun& run);
  bool over();
  bool out_of_budget();
  double share() const;

  Setting setting_;
  std::size_t input_cap_;
  bool asks_races_, asks_deadlocks_, asks_leaks_;
  Runner runner_;
  Runner splitter_;
  bool splits_;
  bool needs_split_sections_ = false;
  bool gives_up_ = false;
  std::vector<Node> nodes_{};  // the initial one and one after each event
  Trace trace_{};
  std::optional<Offer> ready_{};      // of the last node's first branch
  std::set<std::uint64_t> traces_{};  // digests, where nothing is reduced
  std::uint64_t checks_ = 0;
  std::optional<verdict::Unsafe> leak_{};
  std::uint64_t leak_found_at_ = 0;
  SearchResult result_{};
};

}  // namespace heddle::engine::explore
