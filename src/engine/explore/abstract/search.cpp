#include "engine/explore/abstract/search.hpp"

#include <algorithm>
#include <utility>

#include "base/hash.hpp"
#include "engine/explore/abstract/transfer.hpp"

namespace heddle::engine::explore {
namespace {

using machine::Outcome;
using verdict::Check;
using verdict::Gap;

constexpr std::uint32_t moves_like_a_preemption = 64;
constexpr std::uint32_t joins_before_widening = 2;
// States at the same locations before they become one.
constexpr std::size_t states_before_merging = 6;

}  // namespace

AbstractSearch::AbstractSearch(const Setting& setting)
    : setting_(setting),
      machine_(setting.semantics.machine()),
      program_(setting.semantics.program()) {
  ++setting_.statistics.rounds;
  arrive({.state = setting_.semantics.initial()});
}

std::optional<Candidate> AbstractSearch::next_candidate() {
  candidate_.reset();
  while (!candidate_ && !misled() && !out_of_budget()) {
    const auto bucket = std::find_if(waiting_.begin(), waiting_.end(),
                                     [](const auto& nodes) { return !nodes.empty(); });
    if (bucket == waiting_.end()) break;
    const NodeId next = bucket->back();
    bucket->pop_back();
    if (!nodes_[next].replaced) expand(next);
  }
  return std::move(candidate_);
}

void AbstractSearch::dismiss(std::string why) {
  if (!gap_) gap_ = verdict::Unknown{Gap::bound, std::move(why), {}, {}};
}

// A thread with a local step goes alone, as long as that leads to a state not expanded yet.
void AbstractSearch::expand(NodeId id) {
  nodes_[id].expanded = true;
  const bool everyone = nodes_[id].interrupted;
  std::vector<ThreadNumber> visible;
  const ThreadNumber threads = nodes_[id].state.known().thread_count();
  for (ThreadNumber thread = 0; thread < threads; ++thread) {
    if (!setting_.semantics.enabled(nodes_[id].state, thread)) continue;
    if (!local(nodes_[id].state, thread)) {
      visible.push_back(thread);
      continue;
    }
    const Reached reached = move(id, thread);
    if (candidate_ || (reached == Reached::unexpanded && !everyone)) return;
  }
  for (const ThreadNumber thread : visible) {
    move(id, thread);
    if (candidate_) return;
  }
}

AbstractSearch::Reached AbstractSearch::finish(NodeId from, Run run) {
  setting_.statistics.persistent_steps += run.persistent;
  setting_.statistics.protected_steps += run.under_lock;
  const ThreadNumber thread = run.steps.back().thread;
  const machine::StepResult end = run.end.value_or(machine::StepResult{});
  if (end.violation) {
    report(from, std::move(run.steps), {*end.violation, {}});
    return Reached::known;
  }
  switch (end.outcome) {
    case Outcome::cut:
      note_cut({end.gap, end.detail, run.steps.back().choice.edge});
      return Reached::nothing;
    case Outcome::pruned:
    case Outcome::blocked:
    case Outcome::needs_input:
      return Reached::nothing;
    case Outcome::process_ended:
      return Reached::known;
    case Outcome::moved:
      break;
  }
  const Node& parent = nodes_[from];
  const bool preempts = !parent.steps.empty() && parent.steps.back().thread != thread &&
                        setting_.semantics.enabled(parent.state, parent.steps.back().thread);
  return arrive({.state = std::move(run.state),
                 .parent = from,
                 .steps = std::move(run.steps),
                 .depth = parent.depth + 1,
                 .preemptions = parent.preemptions + (preempts ? 1 : 0),
                 .interrupted = run.interrupted});
}

AbstractSearch::Reached AbstractSearch::arrive(Node node) {
  if (std::optional<Wrong> wrong = wrong_with(node.state)) {
    report(node.parent, std::move(node.steps), std::move(*wrong));
    return Reached::known;
  }
  Partition& partition = reached_[location_hash(node.state.known())];
  if (const NodeId known = covering(partition, node.state); known != no_node)
    return nodes_[known].expanded ? Reached::known : Reached::unexpanded;
  if (std::optional<Node> one = merged(partition, node)) node = std::move(*one);
  const std::size_t cost = node.preemptions + node.depth / moves_like_a_preemption;
  const NodeId id = add(partition, std::move(node));
  if (cost >= waiting_.size()) waiting_.resize(cost + 1);
  waiting_[cost].push_back(id);
  return Reached::unexpanded;
}

AbstractSearch::NodeId AbstractSearch::covering(const Partition& partition,
                                                const AbstractState& state) const {
  for (const Group& group : partition.groups) {
    AbstractState lifted = state;
    if (!lift_to(lifted, group.cells, machine_)) continue;
    const auto alike = group.by_known.find(lifted.known().hash());
    if (alike == group.by_known.end()) continue;
    for (const NodeId id : alike->second) {
      const Node& node = nodes_[id];
      if (!node.replaced && node.state.known() == lifted.known() &&
          node.state.store().covers(lifted.store()))
        return id;
    }
  }
  return no_node;
}

// The newest state that differs in numbers only takes the node in, once there are many of them.
std::optional<AbstractSearch::Node> AbstractSearch::merged(Partition& partition, const Node& node) {
  if (setting_.semantics.domain().merge() == domain::Merge::separate) return std::nullopt;
  if (partition.nodes.size() < states_before_merging) return std::nullopt;
  for (auto at = partition.nodes.rbegin(); at != partition.nodes.rend(); ++at) {
    Node& older = nodes_[*at];
    if (older.replaced) continue;
    const Combine how = older.joins < joins_before_widening ? Combine::join : Combine::widen;
    std::optional<AbstractState> both = combine(older.state, node.state, how, accesses_, machine_);
    if (!both) continue;
    older.replaced = true;
    ++setting_.statistics.joins;
    Node result{.state = std::move(*both),
                .parent = node.parent,
                .steps = node.steps,
                .depth = node.depth,
                .preemptions = node.preemptions,
                .joins = older.joins + 1,
                .interrupted = node.interrupted || older.interrupted};
    return result;
  }
  return std::nullopt;
}

AbstractSearch::NodeId AbstractSearch::add(Partition& partition, Node node) {
  const NodeId id = static_cast<NodeId>(nodes_.size());
  const CellList cells = node.state.store().cells();
  auto group = std::find_if(partition.groups.begin(), partition.groups.end(),
                            [&](const Group& known) { return known.cells == cells; });
  if (group == partition.groups.end())
    group = partition.groups.insert(partition.groups.end(), Group{cells, {}});
  group->by_known[node.state.known().hash()].push_back(id);
  partition.nodes.push_back(id);
  nodes_.push_back(std::move(node));
  ++setting_.statistics.states;
  setting_.statistics.depth =
      std::max<std::uint64_t>(setting_.statistics.depth, nodes_.back().depth);
  return id;
}

std::optional<AbstractSearch::Wrong> AbstractSearch::race_in(const AbstractState& state) {
  std::vector<machine::Access> pending;
  std::vector<Choice> ways;
  for (ThreadNumber thread = 0; thread < state.known().thread_count(); ++thread) {
    Semantics::Pending mine = setting_.semantics.pending(state, thread);
    if (mine.cut) note_cut(*mine.cut);
    for (std::size_t i = 0; i < mine.accesses.size(); ++i) {
      const machine::Access& access = mine.accesses[i];
      for (std::size_t other = 0; other < pending.size(); ++other) {
        const machine::Access pair[] = {pending[other], access};
        if (auto race = machine_.race(state.known(), pair))
          return Wrong{std::move(*race),
                       {{pending[other].thread, ways[other]}, {thread, mine.ways[i]}}};
      }
    }
    pending.insert(pending.end(), mine.accesses.begin(), mine.accesses.end());
    ways.insert(ways.end(), mine.ways.begin(), mine.ways.end());
  }
  return std::nullopt;
}

std::optional<AbstractSearch::Wrong> AbstractSearch::wrong_with(const AbstractState& state) {
  if (setting_.property.has(Check::race))
    if (std::optional<Wrong> race = race_in(state)) return race;
  if (!setting_.property.has(Check::deadlock)) return std::nullopt;
  for (ThreadNumber thread = 0; thread < state.known().thread_count(); ++thread) {
    const std::span<const ir::EdgeId> edges = machine_.edges(state.known(), thread);
    if (edges.size() != 1) continue;
    const auto* await = std::get_if<ir::Await>(&program_.edge(edges.front()).statement);
    if (await == nullptr || !waits_on_cells(setting_.semantics, state, thread, *await)) continue;
    note_cut({Gap::bound, "a thread waits for a value that is not known", edges.front()});
    return std::nullopt;
  }
  if (auto deadlock = machine_.deadlock(state.known())) return Wrong{std::move(*deadlock), {}};
  return std::nullopt;
}

void AbstractSearch::note_accesses(const AbstractState& state, ThreadNumber thread,
                                   const Choice& choice) {
  if (setting_.options.local_steps == LocalSteps::on)
    setting_.reductions.note(state, thread, choice);
  const auto access = machine_.access(state.known(), thread, choice.edge, choice.values);
  if (!access) return;
  const auto place = machine_.memory().find(state.known(), access->address);
  if (!place || !place->index) return;
  const ir::Edge& edge = program_.edge(choice.edge);
  const bool by_user =
      program_.function(program_.function_of(choice.edge)).origin == ir::Origin::user;
  AccessMap::Use use = by_user ? AccessMap::Use::number : AccessMap::Use::untouched;
  const auto type_of = [&](ir::ExprId address) { return program_.type(program_.pointee(address)); };
  if (const auto* load = std::get_if<ir::Load>(&edge.statement)) {
    if (type_of(load->address).kind == ir::TypeKind::pointer || !load->bits.whole())
      use = AccessMap::Use::untouched;
  } else if (const auto* store = std::get_if<ir::Store>(&edge.statement)) {
    if (type_of(store->address).kind == ir::TypeKind::pointer || !store->bits.whole())
      use = AccessMap::Use::untouched;
  } else if (const auto* update = std::get_if<ir::Update>(&edge.statement)) {
    if (type_of(update->address).kind == ir::TypeKind::pointer) use = AccessMap::Use::untouched;
  } else {
    return;
  }
  accesses_.note(Variable::of(*place->object), place->offset,
                 static_cast<std::uint32_t>(access->size), use);
}

void AbstractSearch::note_cut(const Cut& cut) {
  const bool worse = gap_ && gap_->gap == Gap::bound && cut.gap != Gap::bound;
  if (gap_ && !worse) return;
  gap_ = verdict::Unknown{cut.gap, cut.detail, program_.edge(cut.edge).source, {}};
}

void AbstractSearch::report(NodeId from, std::vector<PathStep> steps, Wrong wrong) {
  std::vector<std::vector<PathStep>> parts{std::move(steps)};
  for (NodeId at = from; at != no_node; at = nodes_[at].parent) parts.push_back(nodes_[at].steps);
  Candidate candidate{{}, std::move(wrong.violation), std::move(wrong.about_to_take)};
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    candidate.path.insert(candidate.path.end(), part->begin(), part->end());
  candidate_ = std::move(candidate);
}

bool AbstractSearch::out_of_budget() {
  ++checks_;
  if (checks_ % 256 == 0)
    setting_.listener.progress(
        {setting_.statistics.states, setting_.statistics.steps, setting_.statistics.depth});
  const std::uint64_t most_steps = setting_.options.most_steps;
  if (most_steps != 0 && setting_.statistics.steps >= most_steps) {
    gap_ = verdict::Unknown{Gap::bound, "the limit of steps was reached", {}, {}};
    return true;
  }
  if (setting_.budget.out_of_time()) {
    gap_ = verdict::Unknown{Gap::time, "the time limit was reached", {}, {}};
    return true;
  }
  if (checks_ % 64 == 0 && setting_.budget.out_of_memory()) {
    gap_ = verdict::Unknown{Gap::memory, "the memory limit was reached", {}, {}};
    return true;
  }
  return false;
}

std::uint64_t AbstractSearch::location_hash(const machine::State& state) const {
  std::uint64_t hash = state.thread_count();
  for (ThreadNumber thread = 0; thread < state.thread_count(); ++thread) {
    hash = base::combine(hash, state.thread(thread).frames.size());
    for (const auto& frame : state.thread(thread).frames)
      hash = base::combine(hash, frame->at.value);
  }
  return hash;
}

}  // namespace heddle::engine::explore
