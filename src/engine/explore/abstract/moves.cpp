// The moves of the search over a domain: a step of one thread, and all that follows it without a
// look at the others.
#include <algorithm>
#include <utility>

#include "engine/explore/abstract/search.hpp"

namespace heddle::engine::explore {
namespace {

using machine::Outcome;
using verdict::Check;

// Of a loop on shared memory that goes on and on, others should see something in between.
constexpr std::uint64_t most_persistent_steps = 500;
constexpr std::size_t longest_section_tried = 200;

}  // namespace

// Of the ways that exist, the one that leads to the least: each execution that the state stands for
// has one of them only, and it is this execution in which nobody may be put off for ever.
AbstractSearch::Reached AbstractSearch::move(NodeId from, ThreadNumber thread) {
  const Choices choices = setting_.semantics.choices(nodes_[from].state, thread);
  if (choices.cut) note_cut(*choices.cut);
  Reached least = Reached::nothing;
  if (may_discard(nodes_[from].state, thread)) least = Reached::known;
  for (const Choice& choice : choices.open) {
    const Reached reached = take(from, thread, choice);
    if (candidate_ || setting_.budget.out_of_time()) return reached;
    if (reached == Reached::nothing) continue;
    least = least == Reached::nothing ? reached : std::max(least, reached);
  }
  return least;
}

// Some of the executions that the state stands for may end here, and what the others do in them
// counts. Assumes that branch come with their negation.
bool AbstractSearch::may_discard(const AbstractState& state, ThreadNumber thread) const {
  const std::span<const ir::EdgeId> edges = machine_.edges(state.known(), thread);
  if (edges.size() != 1) return false;
  const auto* assume = std::get_if<ir::Assume>(&program_.edge(edges.front()).statement);
  return assume != nullptr && setting_.semantics.reads_cells(state, thread, assume->condition);
}

AbstractSearch::Reached AbstractSearch::take(NodeId from, ThreadNumber thread,
                                             const Choice& choice) {
  Run run{nodes_[from].state, {{thread, choice}}};
  machine::StepResult result = step(run.state, thread, choice);
  if (result.outcome != Outcome::moved || result.violation)
    run.end = std::move(result);
  else
    chain(run, thread);
  return finish(from, std::move(run));
}

machine::StepResult AbstractSearch::step(AbstractState& state, ThreadNumber thread,
                                         const Choice& choice) {
  note_accesses(state, thread, choice);
  ++setting_.statistics.steps;
  return setting_.semantics.take(state, thread, choice);
}

// Steps that nobody interferes with and that can be taken in one way only follow at once. Where
// states may be merged, loop heads are left to the search.
void AbstractSearch::chain(Run& run, ThreadNumber thread) {
  if (setting_.options.local_steps == LocalSteps::off) return;
  while (!run.end && run.steps.size() < setting_.options.chain_limit) {
    if (!may_continue(run, thread)) {
      if (!pass_section(run, thread)) return;
      continue;
    }
    const ir::LocId at = run.state.known().top(thread).at;
    const bool open = !run.state.store().cells().empty() ||
                      setting_.semantics.domain().merge() == domain::Merge::join;
    if ((program_.location(at).loop_head && open) || may_discard(run.state, thread)) return;
    if (run.persistent >= most_persistent_steps) {
      run.interrupted = true;
      return;
    }
    if (!take_only_way(run, thread)) return;
  }
}

// Of edges that exclude each other one can be taken, as a rule. False: not so, and nothing is
// taken.
bool AbstractSearch::take_only_way(Run& run, ThreadNumber thread) {
  Choices choices = setting_.semantics.choices(run.state, thread);
  if (choices.cut) return false;
  std::optional<std::pair<AbstractState, Choice>> only;
  for (Choice& choice : choices.open) {
    AbstractState next = run.state;
    machine::StepResult result = step(next, thread, choice);
    if (result.outcome == Outcome::pruned) continue;
    if (only) return false;
    if (result.outcome != Outcome::moved || result.violation) {
      // What cannot be taken is the search's to tell: others may still move here.
      const bool ends = result.violation || result.outcome == Outcome::process_ended;
      if (!ends || choices.open.size() > 1) return false;
      run.end = std::move(result);
    }
    only.emplace(std::move(next), std::move(choice));
  }
  if (!only) return false;
  run.state = std::move(only->first);
  run.steps.push_back({thread, std::move(only->second)});
  ++setting_.statistics.reduced_steps;
  return true;
}

// An atomic section in which nobody else takes part is one local step. Tries it on a copy: once
// begun, it would keep the others out.
bool AbstractSearch::pass_section(Run& run, ThreadNumber thread) {
  const auto next_of = [&](const AbstractState& state) {
    return machine_.edges(state.known(), thread);
  };
  AbstractReductions& reductions = setting_.reductions;
  if (!reductions.any_beyond_local() || !setting_.semantics.enabled(run.state, thread) ||
      !reductions.enters_section(run.state, thread, next_of(run.state).front()))
    return false;
  Run trial{run.state};
  do {
    const std::span<const ir::EdgeId> edges = next_of(trial.state);
    if (edges.empty() || trial.steps.size() > longest_section_tried) return false;
    const bool begins = std::holds_alternative<ir::Atomic>(program_.edge(edges.front()).statement);
    if (!begins && !reductions.local(trial.state, thread, edges.front()) &&
        !undisturbed(trial, thread, edges.front()))
      return false;
    if (may_discard(trial.state, thread) || !take_only_way(trial, thread) || trial.end)
      return false;
  } while (trial.state.known().holder() == thread);
  run.state = std::move(trial.state);
  run.persistent += trial.persistent;
  run.under_lock += trial.under_lock;
  run.steps.insert(run.steps.end(), trial.steps.begin(), trial.steps.end());
  return true;
}

bool AbstractSearch::undisturbed(Run& run, ThreadNumber thread, ir::EdgeId next) {
  const AbstractReductions::Kind kind = setting_.reductions.kind(run.state, thread, next);
  if (kind == AbstractReductions::Kind::disturbed) return false;
  ++run.persistent;
  if (kind == AbstractReductions::Kind::under_lock) ++run.under_lock;
  return true;
}

bool AbstractSearch::local(const AbstractState& state, ThreadNumber thread) {
  if (setting_.options.local_steps == LocalSteps::off) return false;
  const std::span<const ir::EdgeId> edges = machine_.edges(state.known(), thread);
  if (edges.empty()) return false;
  if (setting_.reductions.local(state, thread, edges.front())) return true;
  if (!setting_.reductions.any_beyond_local()) return false;
  Run trial{state};
  if (setting_.reductions.enters_section(state, thread, edges.front()))
    return pass_section(trial, thread);
  return undisturbed(trial, thread, edges.front());
}

bool AbstractSearch::may_continue(Run& run, ThreadNumber thread) {
  if (!setting_.semantics.enabled(run.state, thread)) return false;
  if (run.state.known().holder() == thread && !setting_.property.has(Check::race)) return true;
  const ir::EdgeId next = machine_.edges(run.state.known(), thread).front();
  if (setting_.reductions.local(run.state, thread, next)) return true;
  return !setting_.reductions.enters_section(run.state, thread, next) &&
         undisturbed(run, thread, next);
}

}  // namespace heddle::engine::explore
