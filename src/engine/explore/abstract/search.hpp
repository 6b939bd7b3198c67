// The algorithm of configurable program analysis (Beyer, Henzinger, Théoduloz, CAV'07),
// over states that hold a stack of locations for each thread (Beyer, Friedberger,
// MEMICS'16): take a state off the waitlist, compute its successors, merge each with
// what was reached at the same locations, and stop where a reached state covers it.
//
// Where we differ: one step is one access to memory; threads have no clones and no
// limit; what is merged is only what need not stay known for control (pointers and
// the words of mutexes are never merged); steps that no other thread can notice are
// taken at once.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/budget.hpp"
#include "engine/engine.hpp"
#include "engine/explore/abstract/merging.hpp"
#include "engine/explore/abstract/reductions.hpp"
#include "engine/explore/abstract/semantics.hpp"
#include "engine/explore/options.hpp"

namespace heddle::engine::explore {

struct PathStep {
  ThreadNumber thread = 0;
  Choice choice{};
};

// A path to a violation, which may exist in the abstraction only.
struct Candidate {
  std::vector<PathStep> path{};
  verdict::Violation violation{};
  std::vector<PathStep> about_to_take{};  // of a race: the two accesses
};

class AbstractSearch {
 public:
  // All references must outlive the search.
  struct Setting {
    const Semantics& semantics;
    AbstractReductions& reductions;
    const verdict::Property& property;
    const base::Budget& budget;
    Listener& listener;
    const Options& options;
    Statistics& statistics;
  };
  explicit AbstractSearch(const Setting& setting);

  // Goes on until something that looks like a violation turns up; nullopt: all was seen, as far as
  // `gap` does not say otherwise.
  std::optional<Candidate> next_candidate();
  const std::optional<verdict::Unknown>& gap() const { return gap_; }
  // The last candidate could neither be confirmed nor avoided.
  void dismiss(std::string why);
  bool misled() const { return setting_.reductions.misled(); }

 private:
  using NodeId = std::uint32_t;
  static constexpr NodeId no_node = UINT32_MAX;
  struct Node {
    AbstractState state;
    NodeId parent = no_node;
    std::vector<PathStep> steps{};  // from the parent
    std::uint32_t depth = 0;        // in moves
    std::uint32_t preemptions = 0;
    std::uint32_t joins = 0;  // that it is the result of
    bool expanded = false;
    bool replaced = false;     // by a state that covers it
    bool interrupted = false;  // in the middle of a long chain: every thread gets a turn here
  };
  // Reached states at the same locations that have the same cells.
  struct Group {
    CellList cells{};
    std::unordered_map<std::uint64_t, std::vector<NodeId>> by_known{};
  };
  struct Partition {
    std::vector<Group> groups{};
    std::vector<NodeId> nodes{};
  };
  enum class Reached { unexpanded, known, nothing };

  void expand(NodeId id);
  Reached move(NodeId from, ThreadNumber thread);
  Reached take(NodeId from, ThreadNumber thread, const Choice& choice);
  // What a move has come to.
  struct Run {
    AbstractState state;
    std::vector<PathStep> steps{};
    std::optional<machine::StepResult> end{};  // nothing: it goes on
    std::uint64_t persistent = 0;              // steps on shared memory
    std::uint64_t under_lock = 0;              // of these
    bool interrupted = false;
  };
  void chain(Run& run, ThreadNumber thread);
  bool take_only_way(Run& run, ThreadNumber thread);
  bool pass_section(Run& run, ThreadNumber thread);
  machine::StepResult step(AbstractState& state, ThreadNumber thread, const Choice& choice);
  Reached finish(NodeId from, Run run);
  Reached arrive(Node node);
  NodeId covering(const Partition& partition, const AbstractState& state) const;
  std::optional<Node> merged(Partition& partition, const Node& node);
  NodeId add(Partition& partition, Node node);
  // What is wrong with the state as a whole.
  struct Wrong {
    verdict::Violation violation{};
    std::vector<PathStep> about_to_take{};
  };
  std::optional<Wrong> wrong_with(const AbstractState& state);
  std::optional<Wrong> race_in(const AbstractState& state);
  void note_accesses(const AbstractState& state, ThreadNumber thread, const Choice& choice);
  void note_cut(const Cut& cut);
  void report(NodeId from, std::vector<PathStep> steps, Wrong wrong);
  bool local(const AbstractState& state, ThreadNumber thread);
  bool may_continue(Run& run, ThreadNumber thread);
  bool undisturbed(Run& run, ThreadNumber thread, ir::EdgeId next);
  bool may_discard(const AbstractState& state, ThreadNumber thread) const;
  bool out_of_budget();
  std::uint64_t location_hash(const machine::State& state) const;

  Setting setting_;
  const machine::Machine& machine_;
  const ir::Program& program_;
  std::deque<Node> nodes_{};
  std::map<std::uint64_t, Partition> reached_{};  // by the locations of all threads
  std::vector<std::vector<NodeId>> waiting_{};    // by preemptions and depth
  AccessMap accesses_{};
  std::optional<Candidate> candidate_{};
  std::optional<verdict::Unknown> gap_{};
  std::uint64_t checks_ = 0;
};

}  // namespace heddle::engine::explore
