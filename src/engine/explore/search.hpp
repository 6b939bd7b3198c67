// One search through the states of a program: each state is visited once, those
// that need few preemptions first, since most bugs need few and such traces read
// best. With every state visited and nothing cut, the program is safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "engine/engine.hpp"
#include "engine/explore/dead_values.hpp"
#include "engine/explore/frontier.hpp"
#include "engine/explore/inputs.hpp"
#include "engine/explore/mover.hpp"
#include "engine/explore/options.hpp"
#include "engine/explore/state_table.hpp"
#include "engine/explore/stuck.hpp"
#include "engine/explore/symmetry.hpp"

namespace heddle::engine::explore {

struct SearchResult {
  std::optional<verdict::Unsafe> unsafe{};
  std::optional<verdict::Unknown> gap{};  // what kept the search from being complete
  bool capped = false;                    // more input values could be tried
};

class Search {
 public:
  // All references must outlive the search.
  struct Setting {
    const ir::Program& program;
    const verdict::Property& property;
    const machine::Machine& machine;
    const Mover& mover;
    Inputs& inputs;
    const base::Budget& budget;
    Listener& listener;
    Statistics& statistics;
    const Options& options;
    Symmetry* symmetry = nullptr;       // null: none
    DeadValues* dead_values = nullptr;  // null: kept
  };
  Search(const Setting& setting, std::size_t input_cap);

  SearchResult run();

 private:
  enum class Reached { unexpanded, known, nothing };  // what the moves of a thread have led to

  // With none, the move consists of nothing but steps that commute with what the others do.
  enum class Interleaving { none, full };

  void expand(NodeId id);
  Reached move_thread(NodeId from, const machine::State& state, ThreadNumber thread,
                      Interleaving interleaving);
  Reached move_with(NodeId from, const machine::State& before, ThreadNumber thread,
                    std::optional<std::uint64_t> input, Interleaving interleaving);
  std::uint32_t active_threads(const machine::State& state) const;
  Reached arrive(NodeId from, Node arrival);
  std::vector<std::optional<std::uint64_t>> inputs_of(const machine::State& state,
                                                      ThreadNumber thread);
  void report(std::vector<verdict::Step> steps, verdict::Violation violation);
  void note_cut(verdict::Gap gap, std::string detail, ir::EdgeId edge);
  void look_for_stuck_threads();
  bool searched_enough_after_leak() const;
  struct Way {
    std::vector<verdict::Step> steps{};
    machine::State state{};  // where they lead
  };
  Way way_to(NodeId node) const;
  bool out_of_time() const;
  bool out_of_budget();

  Setting setting_;
  std::size_t input_cap_;
  bool records_graph_;
  StateTable nodes_;
  Frontier frontier_;
  StateGraph graph_{};
  std::uint64_t checks_ = 0;  // of the budget
  // A leak is reported if nothing worse turns up soon.
  std::optional<verdict::Unsafe> leak_{};
  std::uint64_t leak_found_at_ = 0;  // in checks
  SearchResult result_{};
};

}  // namespace heddle::engine::explore
