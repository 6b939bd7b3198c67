// Which events of the current execution could come in another order, and what the
// other order looks like.
//
// Two events race if neither has to come first because of the rest. The later one is
// then run before the earlier one, with all that does not depend on that. An event
// that may have to wait is tried there first. Where it waits, the events before are
// looked at, as if the earlier one had never been: so a lock is not taken before the
// last unlock, but before the last lock.
#include <algorithm>
#include <utility>

#include "engine/explore/stateless/dpor.hpp"

namespace heddle::engine::explore {
namespace {

enum class Clash {
  none,
  unseen,  // a race if unknown code does what it may do
  race,
};

Clash clash_of(const Footprint& a, const Footprint& b) {
  Clash worst = Clash::none;
  for (const Touched& x : a.touched)
    for (const Touched& y : b.touched) {
      if (x.role == AccessRole::none || y.role == AccessRole::none || !conflicting(x, y)) continue;
      if (x.role == AccessRole::program && y.role == AccessRole::program) {
        if (x.plain || y.plain) return Clash::race;
      } else if (x.role != y.role) {
        worst = Clash::unseen;
      }
    }
  return worst;
}

bool waits_on_old_reads(const EventRun& run, const Footprint& writer) {
  for (std::size_t i = 0; i < run.before_waiting; ++i)
    for (const Touched& touch : writer.touched)
      if (conflicting(touch, run.footprint.touched[i])) return true;
  return false;
}

}  // namespace

// Fills in the event's clock and races; it comes at the end of the trace. An idle one has not
// happened, but might have somewhere before.
void Dpor::find_races(Event& event, Occurs occurs) {
  const Position at = trace_.size();
  const bool idle = occurs == Occurs::not_yet;
  const ThreadNumber thread = event.action.thread;
  const Footprint& footprint = *event.action.footprint;
  const Clock own = trace_.clock_of(thread);
  const bool reduces = setting_.options.dpor != DporMode::none;
  const auto extent = event.fixed && !asks_races_ ? Trace::Extent::last : Trace::Extent::all;
  event.clock = own;
  Clock covered = own;
  for (const Position first : trace_.dependent_on(footprint, own, extent)) {
    const Event& earlier = trace_[first];
    join(event.clock, earlier.clock);
    const bool is_covered = trace_.happened(first, covered);
    if (is_covered && !(idle && asks_races_)) continue;
    if (!reduces && !asks_races_) continue;
    Race race{.first = first};
    if (event.fixed) {
      if (asks_races_ &&
          report_race(first, {event.action.inputs, {.footprint = footprint}}, thread))
        return;
      race.instead.push_back(event.action);
      race.same = true;
    } else {
      for (Offer& offer : offers_before(first, at, thread)) {
        if (asks_races_ && report_race(first, offer, thread)) return;
        if (waits_on_old_reads(offer.run, *earlier.action.footprint)) needs_split_sections_ = true;
        if (!is_event(offer.run.ending)) continue;
        race.same = race.instead.empty() && !idle && offer.run.footprint == footprint;
        race.instead.push_back(
            {thread, std::move(offer.inputs), machine::Shared(std::move(offer.run.footprint))});
      }
      race.same = race.same && race.instead.size() == 1;
    }
    if (is_covered || race.instead.empty()) continue;
    join(covered, earlier.clock);
    if (reduces) event.races.push_back(std::move(race));
  }
  if (event.clock.size() <= thread) event.clock.resize(thread + 1);
  event.clock[thread] = event.number;
}

// What the thread, which is about to make the event at the end, would do right before `first` if
// nothing had happened that depends on that.
std::vector<Dpor::Offer> Dpor::offers_before(Position first, Position at, ThreadNumber thread) {
  ++setting_.statistics.trials;
  if (std::optional<std::vector<Offer>> found = offers_beside(first, at, thread))
    return std::move(*found);
  machine::State state = nodes_[first].state;
  Names names = nodes_[first].names;
  for (Position k = first + 1; k < at; ++k) {
    if (trace_.happened(first, trace_[k].clock)) continue;
    const Action& action = trace_[k].action;
    setting_.statistics.steps += runner_.run(state, names, action.thread, action.inputs).steps;
  }
  return offers(state, names, thread);
}

// The same, but without running the events between, where the thread looks at nothing that they
// have changed: puts the thread as it is now into the state as it was then.
std::optional<std::vector<Dpor::Offer>> Dpor::offers_beside(Position first, Position at,
                                                            ThreadNumber thread) {
  const Node& before = nodes_[first];
  if (thread >= before.state.thread_count()) return std::nullopt;
  std::vector<const Footprint*> between;
  for (Position k = first + 1; k < at; ++k) {
    const Event& event = trace_[k];
    if (trace_.happened(first, event.clock)) continue;
    if (event.changes_objects || (event.action.thread == thread && !event.own_objects.empty()))
      return std::nullopt;
    if (event.action.footprint->writes()) between.push_back(&*event.action.footprint);
  }
  machine::State state = before.state;
  state.write_thread(thread) = nodes_[at].state.thread(thread);
  std::vector<Offer> found = offers(state, before.names, thread);
  for (const Offer& offer : found)
    for (const Footprint* other : between)
      if (dependent(offer.run.footprint, *other)) return std::nullopt;
  return found;
}

// Where the two accesses race, builds the execution after which both are about to be made.
bool Dpor::report_race(Position first, const Offer& offer, ThreadNumber thread) {
  const Action& earlier = trace_[first].action;
  const Clash clash = clash_of(*earlier.footprint, offer.run.footprint);
  if (clash == Clash::none) return false;
  if (clash == Clash::unseen) {
    note_cut(verdict::Gap::unsupported,
             "an undefined function may race on what its argument points to", {});
    return false;
  }
  Way way = way_to(trace_.size(), first);
  runner_.approach(way.state, earlier.thread, way.steps);
  runner_.approach(way.state, thread, way.steps);
  const auto races = [&](const machine::State& state) {
    return setting_.machine.race(state).has_value();
  };
  // One of the two may be inside of an atomic section when it makes the access.
  if (!races(way.state)) {
    for (const auto& [goes, inputs] :
         {std::pair(thread, &offer.inputs), std::pair(earlier.thread, &earlier.inputs)}) {
      Way further = way;
      const Runner::Watch watch{&further.steps, races};
      splitter_.run(further.state, further.names, goes, *inputs, &watch);
      if (!races(further.state)) continue;
      way = std::move(further);
      break;
    }
  }
  std::optional<verdict::Violation> violation = setting_.machine.race(way.state);
  if (!violation) {
    note_cut(verdict::Gap::bound, "two accesses seem to race, which could not be confirmed", {});
    return false;
  }
  report(std::move(way.steps), std::move(*violation));
  return true;
}

void Dpor::reverse_races() {
  for (Position second = 0; second < trace_.size(); ++second)
    for (const Race& race : trace_[second].races) reverse(race, second);
  const Node& node = nodes_.back();
  for (ThreadNumber thread = 0; thread < node.idle.size(); ++thread) {
    const std::shared_ptr<const Idle> idle = node.idle[thread];
    if (!idle || idle->footprint.empty()) continue;
    Event event{{thread, idle->inputs, machine::Shared(idle->footprint)}};
    find_races(event, Occurs::not_yet);
    if (result_.unsafe) return;
    for (const Race& race : event.races) reverse(race, trace_.size());
  }
}

// What comes after `first` and does not depend on it, with the second event where it belongs.
void Dpor::reverse(const Race& race, Position second) {
  for (const Action& instead : race.instead) {
    Sequence sequence;
    std::vector<Position> left_out;
    for (Position k = race.first + 1; k < trace_.size(); ++k) {
      if (k == second) sequence.push_back(&instead);
      const Event& event = trace_[k];
      if (trace_.happened(race.first, event.clock)) continue;
      const bool disturbed = k > second && !race.same &&
                             (dependent(instead, event.action) ||
                              std::any_of(left_out.begin(), left_out.end(), [&](Position other) {
                                return trace_.happened(other, event.clock);
                              }));
      if (disturbed)
        left_out.push_back(k);
      else
        sequence.push_back(&event.action);
    }
    if (second == trace_.size()) sequence.push_back(&instead);
    plant(race.first, std::move(sequence));
  }
}

// Sees to it that the sequence is explored from the node, unless something equivalent is or was.
void Dpor::plant(Position at, Sequence sequence) {
  for (; at < nodes_.size(); ++at) {
    Node& node = nodes_[at];
    const Action* current = at < trace_.size() ? &trace_[at].action : nullptr;
    if (setting_.options.dpor == DporMode::source) {
      if (plant_source(node, current, sequence)) ++setting_.statistics.reversals;
      return;
    }
    if (std::any_of(node.sleep.begin(), node.sleep.end(),
                    [&](const Action& sleeper) { return may_come_first(sleeper, sequence); }))
      return;
    if (current != nullptr && may_come_first(*current, sequence)) {
      drop_first(*current, sequence);
      if (sequence.empty()) return;
      continue;
    }
    if (insert(node.branches, std::move(sequence))) ++setting_.statistics.reversals;
    return;
  }
}

// Source sets ask less: some thread that can begin the sequence must be explored.
bool Dpor::plant_source(Node& node, const Action* current, const Sequence& sequence) {
  const auto begins = [&](const Action& action) {
    return std::any_of(sequence.begin(), sequence.end(),
                       [&](const Action* other) { return other->same_event(action); }) &&
           may_come_first(action, sequence);
  };
  if (current != nullptr && begins(*current)) return false;
  if (std::any_of(node.sleep.begin(), node.sleep.end(), begins)) return false;
  if (std::any_of(node.branches.begin(), node.branches.end(),
                  [&](const Branch& branch) { return begins(branch.action); }))
    return false;
  node.branches.push_back({*sequence.front(), {}});
  return true;
}

}  // namespace heddle::engine::explore
