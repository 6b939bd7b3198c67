#include "engine/explore/search.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace heddle::engine::explore {
namespace {

constexpr std::uint64_t moves_between_memory_checks = 128;
constexpr std::uint64_t moves_between_reports = 1024;
constexpr std::uint64_t steps_like_a_move = 256;  // a long move makes a long way

}  // namespace

Search::Search(const Setting& setting, std::size_t input_cap)
    : setting_(setting),
      input_cap_(input_cap),
      records_graph_(setting.property.has(verdict::Check::deadlock) &&
                     has_unowned_waits(setting.program)),
      nodes_(setting.options.reached),
      frontier_(setting.options.orders) {
  ++setting_.statistics.rounds;
}

SearchResult Search::run() {
  arrive(no_node, {.state = std::make_unique<machine::State>(setting_.machine.initial())});
  while (!result_.unsafe && !setting_.mover.misled() && !searched_enough_after_leak() &&
         !out_of_budget()) {
    const NodeId next = frontier_.pop();
    if (next == no_node) break;
    expand(next);
  }
  if (!result_.unsafe && leak_) result_.unsafe = std::move(leak_);
  // A search that breaks off because it was misled has seen a part of the graph only.
  if (!result_.unsafe && !result_.gap && records_graph_ && !setting_.mover.misled())
    look_for_stuck_threads();
  return std::move(result_);
}

// A thread with a local step goes alone, as long as that leads to a state not expanded yet: so
// nobody is put off for ever (each such state is expanded later than this one).
void Search::expand(NodeId id) {
  const std::unique_ptr<const machine::State> kept = std::move(nodes_[id].state);
  const machine::State& state = *kept;
  const bool everyone = nodes_[id].interrupted;
  std::vector<ThreadNumber> visible;
  for (ThreadNumber thread = 0; thread < state.thread_count(); ++thread) {
    if (!setting_.machine.enabled(state, thread)) continue;
    if (!setting_.mover.local(state, thread)) {
      visible.push_back(thread);
      continue;
    }
    const Reached reached = move_thread(id, state, thread, Interleaving::none);
    if (result_.unsafe || (reached == Reached::unexpanded && !everyone)) return;
  }
  for (const ThreadNumber thread : visible) {
    move_thread(id, state, thread, Interleaving::full);
    if (result_.unsafe) return;
  }
}

Search::Reached Search::move_thread(NodeId from, const machine::State& state, ThreadNumber thread,
                                    Interleaving interleaving) {
  Reached best = Reached::nothing;
  for (const std::optional<std::uint64_t> input : inputs_of(state, thread)) {
    const Reached reached = move_with(from, state, thread, input, interleaving);
    if (result_.unsafe || out_of_time()) return reached;
    best = std::min(best, reached);
  }
  if (best == Reached::nothing) nodes_[from].discarded = true;
  return best;
}

std::vector<std::optional<std::uint64_t>> Search::inputs_of(const machine::State& state,
                                                            ThreadNumber thread) {
  const std::span<const ir::EdgeId> edges = setting_.machine.edges(state, thread);
  if (edges.size() != 1) return {std::nullopt};
  const auto request = setting_.machine.input_needed(state, thread, edges.front());
  if (!request) return {std::nullopt};
  const InputValues values =
      setting_.inputs.values(state, thread, edges.front(), *request, input_cap_);
  if (!values.exact)
    note_cut(verdict::Gap::bound,
             "an input was tried with " + std::to_string(values.values.size()) + " values only",
             edges.front());
  result_.capped = result_.capped || values.capped;
  return {values.values.begin(), values.values.end()};
}

Search::Reached Search::move_with(NodeId from, const machine::State& before, ThreadNumber thread,
                                  std::optional<std::uint64_t> input, Interleaving interleaving) {
  machine::State state = before;
  Move move = setting_.mover.move(state, thread, input, nullptr);
  setting_.statistics.steps += move.steps;
  setting_.statistics.reduced_steps += move.local_steps;
  setting_.statistics.persistent_steps += move.persistent_steps;
  setting_.statistics.protected_steps += move.protected_steps;
  if (move.gap) note_cut(*move.gap, std::move(move.detail), move.cut_at);
  switch (move.end) {
    case MoveEnd::violated: {
      if (move.violation->check == verdict::Check::leak && leak_) return Reached::known;
      Way way = way_to(from);
      setting_.mover.move(way.state, thread, input, &way.steps);
      report(std::move(way.steps), *move.violation);
      return Reached::known;
    }
    case MoveEnd::process_ended:
      if (records_graph_) graph_.edges.push_back({from, no_node});
      return Reached::known;
    case MoveEnd::pruned:
    case MoveEnd::cut:
      // After local steps alone, the others can do here what they can do where the move began.
      if (interleaving == Interleaving::none || move.steps == 0) return Reached::nothing;
      break;
    case MoveEnd::stopped:
      break;
  }
  if (setting_.dead_values != nullptr)
    setting_.statistics.forgotten_values += setting_.dead_values->forget(state, thread);
  const Node& parent = nodes_[from];
  // A move that leaves the others no choice preempts nobody.
  const bool chosen = interleaving == Interleaving::full;
  const bool switches = chosen && parent.parent != no_node && parent.running != thread;
  const bool preempts = switches && setting_.machine.enabled(before, parent.running);
  return arrive(
      from, {.state = std::make_unique<machine::State>(std::move(state)),
             .parent = from,
             .thread = thread,
             .running = chosen ? thread : parent.running,
             .input = input,
             .moves = parent.moves + 1 + static_cast<std::uint32_t>(move.steps / steps_like_a_move),
             .preemptions = parent.preemptions + (preempts ? 1 : 0),
             .switches = parent.switches + (switches ? 1 : 0),
             .steps = parent.steps + move.steps,
             .interrupted = move.interrupted});
}

std::uint32_t Search::active_threads(const machine::State& state) const {
  std::uint32_t active = 0;
  for (ThreadNumber thread = 0; thread < state.thread_count(); ++thread)
    active += setting_.machine.live(state, thread) ? 1 : 0;
  return active;
}

Search::Reached Search::arrive(NodeId from, Node arrival) {
  // The graph for threads that wait for ever must tell them apart.
  std::optional<machine::State> name;
  if (setting_.symmetry != nullptr && !records_graph_)
    name = setting_.symmetry->canonical(*arrival.state);
  const machine::State& known_by = name ? *name : *arrival.state;
  const auto [id, fresh] = nodes_.insert(std::move(arrival), known_by);
  if (name && !fresh) ++setting_.statistics.symmetric_states;
  if (records_graph_ && from != no_node) graph_.edges.push_back({from, id});
  if (!fresh) return nodes_[id].expanded() ? Reached::known : Reached::unexpanded;
  const Node& node = nodes_[id];
  ++setting_.statistics.states;
  setting_.statistics.depth = std::max(setting_.statistics.depth, node.steps);
  std::optional<verdict::Violation> violation;
  if (setting_.property.has(verdict::Check::race)) violation = setting_.machine.race(*node.state);
  if (!violation && setting_.property.has(verdict::Check::deadlock))
    violation = setting_.machine.deadlock(*node.state);
  if (records_graph_) graph_.blocked.push_back(blocked_threads(*node.state, setting_.machine));
  if (violation)
    report(way_to(id).steps, std::move(*violation));
  else
    frontier_.push(id, node, active_threads(*node.state));
  return Reached::unexpanded;
}

void Search::look_for_stuck_threads() {
  const auto stuck = find_stuck(nodes_, std::move(graph_));
  if (!stuck) return;
  Way way = way_to(stuck->node);
  verdict::Violation violation{.check = verdict::Check::deadlock};
  violation.thread = stuck->threads.front();
  violation.edge = setting_.machine.edges(way.state, violation.thread).front();
  violation.stuck = stuck->threads;
  violation.text = "waits for ever while other threads run on";
  report(std::move(way.steps), std::move(violation));
}

void Search::report(std::vector<verdict::Step> steps, verdict::Violation violation) {
  verdict::Unsafe unsafe{{std::move(steps)}, std::move(violation)};
  const bool may_find_worse =
      unsafe.violation.check == verdict::Check::leak && setting_.property.checks.size() > 1;
  if (!may_find_worse) {
    result_.unsafe = std::move(unsafe);
    return;
  }
  leak_ = std::move(unsafe);
  leak_found_at_ = checks_;
}

// A use after free or a failing assertion says more than a leak, so some more work goes into it.
bool Search::searched_enough_after_leak() const {
  constexpr std::uint64_t at_least = 20'000;
  return leak_ && checks_ > 4 * leak_found_at_ + at_least;
}

Search::Way Search::way_to(NodeId node) const {
  std::vector<NodeId> path;
  for (NodeId at = node; nodes_[at].parent != no_node; at = nodes_[at].parent) path.push_back(at);
  Way way{{}, setting_.machine.initial()};
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    setting_.mover.move(way.state, nodes_[*at].thread, nodes_[*at].input, &way.steps);
    // How far a move goes may depend on all that is known, whether anybody reads it or not.
    if (setting_.dead_values != nullptr)
      setting_.dead_values->forget(way.state, nodes_[*at].thread);
  }
  return way;
}

// An unsupported construct says more than a bound of ours, so it is the one to be told.
void Search::note_cut(verdict::Gap gap, std::string detail, ir::EdgeId edge) {
  const bool worse =
      result_.gap && result_.gap->gap == verdict::Gap::bound && gap != verdict::Gap::bound;
  if (result_.gap && !worse) return;
  result_.gap = verdict::Unknown{gap, std::move(detail), setting_.program.edge(edge).source, {}};
}

bool Search::out_of_time() const { return setting_.budget.out_of_time(); }

bool Search::out_of_budget() {
  ++checks_;
  if (checks_ % moves_between_reports == 0)
    setting_.listener.progress(
        {setting_.statistics.states, setting_.statistics.steps, setting_.statistics.depth});
  const std::uint64_t most_steps = setting_.options.most_steps;
  if (most_steps != 0 && setting_.statistics.steps >= most_steps) {
    result_.gap = verdict::Unknown{verdict::Gap::bound, "the limit of steps was reached", {}, {}};
    return true;
  }
  if (out_of_time()) {
    result_.gap = verdict::Unknown{verdict::Gap::time, "the time limit was reached", {}, {}};
    return true;
  }
  if (checks_ % moves_between_memory_checks == 0 && setting_.budget.out_of_memory()) {
    result_.gap = verdict::Unknown{verdict::Gap::memory, "the memory limit was reached", {}, {}};
    return true;
  }
  return false;
}

}  // namespace heddle::engine::explore
