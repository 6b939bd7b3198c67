// Cut points of a sequential program split by the values that are known there, and what leads
// from one to the next. Loop heads are the cut points; all paths between two of them become one
// formula (large blocks). Program counters, flags and addresses have few known values at a time: a
// node is a cut point with these, and only what is left becomes an argument of a predicate.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "engine/sequential/executor.hpp"
#include "engine/sequential/options.hpp"
#include "ir/program.hpp"
#include "passes/liveness.hpp"

namespace heddle::engine::sequential {

// What is known at a node: for each register, then each cell, then each allocation, a number. For
// registers and cells that is the id of an Integer or one of these.
using Key = std::vector<std::uint32_t>;
constexpr std::uint32_t key_unknown = UINT32_MAX;        // an argument of the predicate
constexpr std::uint32_t key_dead = UINT32_MAX - 1;       // nobody reads it any more
constexpr std::uint32_t key_unset = UINT32_MAX - 2;      // a cell
constexpr std::uint32_t key_maybe_set = UINT32_MAX - 3;  // a cell, and an argument

// Registers by position, then cells.
using VariableIndex = std::uint32_t;

struct Node {
  ir::LocId at{};
  Key key{};
  std::vector<VariableIndex> arguments{};
  State state{};  // arguments are variables
};

// From a node (or the program's start) to another (or to what must not be).
struct Transition {
  std::optional<std::size_t> from{}, to{};
  Integer guard{};
  std::vector<Integer> arguments{};  // of `to`
  ir::EdgeId edge{};                 // where it goes wrong
  std::string what{};
};

struct Graph {
  std::vector<Node> nodes{};
  std::vector<Transition> transitions{};
};

// How much is split.
enum class Splitting {
  all,        // every variable with few values
  written,    // as long as all its values are written in the program
  counters,   // of these, those with more than a few, as program counters have; and addresses
  addresses,  // of objects alone
};

class Explorer {
 public:
  enum class Outcome { done, too_many, out_of_budget };

  // All must outlive it.
  Explorer(const ir::Program& program, const verdict::Property& property, MemoryMap& map,
           const Options& options);

  // Again and again until the cells and what is split are settled.
  Outcome explore(Arithmetic& arithmetic, Splitting splitting, const base::Budget& budget);
  const Graph& graph() const { return graph_; }
  std::uint64_t explorations() const { return explorations_; }

 private:
  enum class Round { done, again, too_many, out_of_budget };
  using Waiting = std::map<Key, State>;
  struct Block {
    std::optional<std::size_t> from{};
    std::map<std::uint32_t, Waiting> waiting{};                // by position in the order
    std::map<std::pair<std::uint32_t, Key>, State> arrived{};  // by cut point
  };

  void order_locations();
  Round round(Executor& executor, Arithmetic& arithmetic, const base::Budget& budget);
  void run_block(Executor& executor, Arithmetic& arithmetic, Block& block, ir::LocId at,
                 State state);
  void leave(Executor& executor, Arithmetic& arithmetic, Block& block, ir::LocId at, State state);
  std::vector<ir::EdgeId> open_edges(Arithmetic& arithmetic, ir::LocId at,
                                     const State& state) const;
  void arrive(Arithmetic& arithmetic, Block& block, ir::LocId at, State state);
  void finish(Executor& executor, Arithmetic& arithmetic, Block& block);
  void merge(Arithmetic& arithmetic, State& state, const State& other, const Key& key);
  Key key_of(Arithmetic& arithmetic, const State& state, ir::LocId at);
  std::uint32_t entry_of(Arithmetic& arithmetic, VariableIndex variable, const Value& value);
  std::size_t node_at(Arithmetic& arithmetic, ir::LocId at, const Key& key, const State& state);
  void note_value(Arithmetic& arithmetic, VariableIndex variable, const Value& value);
  const Value& value_of(const State& state, VariableIndex variable) const;
  Value& value_of(State& state, VariableIndex variable) const;
  Shape shape_of_variable(VariableIndex variable) const;

  const ir::Program& program_;
  const verdict::Property& property_;
  MemoryMap& map_;
  const Options& options_;
  std::map<ir::LocId, std::vector<bool>> live_{};  // by register
  std::uint32_t registers_ = 0;
  std::set<ir::LocId> cuts_{};
  std::vector<ir::LocId> order_{};
  std::map<ir::LocId, std::uint32_t> position_{};
  std::map<ir::LocId, std::uint32_t> ways_in_{};
  Splitting splitting_ = Splitting::all;
  // What was seen of a variable at cut points: cells are named by where they are, since their
  // numbers change.
  using Name = std::pair<std::uint64_t, std::uint64_t>;
  Name name_of(VariableIndex variable) const;
  struct Seen {
    std::set<Wide> numbers{};   // as written in the program
    std::set<Wide> computed{};  // by arithmetic
  };
  std::map<Name, Seen> seen_{};
  std::set<Name> unsplit_{};
  bool changed_ = false;  // unsplit_ has grown
  Graph graph_{};
  std::map<std::pair<std::uint32_t, Key>, std::size_t> known_{};
  std::uint64_t explorations_ = 0;
};

}  // namespace heddle::engine::sequential
