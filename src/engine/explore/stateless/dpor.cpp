#include "engine/explore/stateless/dpor.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace heddle::engine::explore {
namespace {

// So many events back a loop may begin that changes nothing.
constexpr std::size_t longest_repetition = 64;
// Every event has a clock with an entry for every thread.
constexpr ThreadNumber most_threads = 500;

}  // namespace

Dpor::Dpor(const Setting& setting, std::size_t input_cap, Sections sections)
    : setting_(setting),
      input_cap_(input_cap),
      asks_races_(setting.property.has(verdict::Check::race)),
      asks_deadlocks_(setting.property.has(verdict::Check::deadlock)),
      asks_leaks_(setting.property.has(verdict::Check::leak)),
      runner_(setting.machine, setting.locality, setting.audit, setting.options, sections),
      splitter_(setting.machine, setting.locality, setting.audit, setting.options, Sections::split),
      splits_(sections == Sections::split) {
  ++setting_.statistics.rounds;
}

SearchResult Dpor::run() {
  nodes_.push_back({.state = setting_.machine.initial(), .idle = {nullptr}});
  while (!over()) {
    if (!nodes_.back().begun) begin();
    if (result_.unsafe) break;
    if (nodes_.back().branches.empty())
      backtrack();
    else
      advance();
  }
  if (!result_.unsafe && leak_) result_.unsafe = std::move(leak_);
  return std::move(result_);
}

// Chooses a thread to go on with; with no reduction, all of them.
void Dpor::begin() {
  Node& node = nodes_.back();
  node.begun = true;
  if (trace_.size() >= setting_.options.deepest_execution) {
    note_cut(verdict::Gap::bound,
             "an execution of more than " + std::to_string(trace_.size()) + " events was cut off",
             {});
    return complete();
  }
  if (node.state.thread_count() > most_threads) {
    note_cut(verdict::Gap::bound,
             "executions of more than " + std::to_string(most_threads) + " threads are not run",
             {});
    gives_up_ = true;
    return;
  }
  bool asleep = false;
  for (ThreadNumber thread = 0; thread < node.state.thread_count(); ++thread) {
    if (node.idle[thread]) continue;
    std::vector<Offer> found = offers(node.state, node.names, thread);
    if (std::none_of(found.begin(), found.end(),
                     [](const Offer& offer) { return is_event(offer.run.ending); })) {
      node.idle[thread] = idle_of(found);
      continue;
    }
    for (Offer& offer : found) {
      if (!is_event(offer.run.ending)) continue;
      Action action{thread, offer.inputs};
      const bool sleeps = std::any_of(node.sleep.begin(), node.sleep.end(),
                                      [&](const Action& a) { return a.same_event(action); });
      asleep = asleep || sleeps;
      if (sleeps) continue;
      if (node.branches.empty()) ready_ = std::move(offer);
      node.branches.push_back({std::move(action), {}});
    }
    if (!node.branches.empty() && setting_.options.dpor != DporMode::none) return;
  }
  if (!node.branches.empty()) return;
  if (asleep)
    ++setting_.statistics.blocked_executions;
  else
    complete();
}

std::vector<Dpor::Offer> Dpor::offers(const machine::State& state, const Names& names,
                                      ThreadNumber thread) {
  std::vector<Offer> found;
  add_offers(state, names, thread, {}, found);
  return found;
}

void Dpor::add_offers(const machine::State& state, const Names& names, ThreadNumber thread,
                      std::vector<std::uint64_t> inputs, std::vector<Offer>& found) {
  Offer offer{std::move(inputs), {}, state, names};
  offer.run = runner_.run(offer.state, offer.names, thread, offer.inputs);
  setting_.statistics.steps += offer.run.steps;
  note_run(offer.run);
  if (offer.run.ending != Ending::needs_input) {
    found.push_back(std::move(offer));
    return;
  }
  const InputValues values = setting_.inputs.values(offer.state, thread, offer.run.input_edge,
                                                    offer.run.request, input_cap_);
  if (!values.exact)
    note_cut(verdict::Gap::bound,
             "an input was tried with " + std::to_string(values.values.size()) + " values only",
             offer.run.input_edge);
  result_.capped = result_.capped || values.capped;
  for (const std::uint64_t value : values.values) {
    std::vector<std::uint64_t> more = offer.inputs;
    more.push_back(value);
    add_offers(state, names, thread, std::move(more), found);
  }
}

// With several choices of inputs, none of which gives an event: any write that one looked at
// counts.
std::shared_ptr<const Dpor::Idle> Dpor::idle_of(const std::vector<Offer>& offers) {
  auto idle = std::make_shared<Idle>();
  idle->why = offers.front().run.ending;
  idle->inputs = offers.front().inputs;
  idle->footprint = offers.front().run.footprint;
  idle->before_waiting = offers.front().run.before_waiting;
  for (const Offer& offer : offers) {
    for (const Touched& touch : offer.run.footprint.touched) idle->footprint.add(touch);
    idle->footprint.everything = idle->footprint.everything || offer.run.footprint.everything;
  }
  // What it would have written does not come about.
  for (Touched& touch : idle->footprint.touched) touch.kind = AccessKind::read;
  idle->footprint.spawned = 0;
  return idle;
}

void Dpor::backtrack() {
  nodes_.pop_back();
  if (nodes_.empty()) return;
  Node& node = nodes_.back();
  ++node.explored;
  if (setting_.options.dpor != DporMode::none)
    node.sleep.push_back(trace_[trace_.size() - 1].action);
  trace_.pop();
}

Dpor::Offer Dpor::take_first(Node& node, Branch& branch) {
  branch = std::move(node.branches.front());
  node.branches.erase(node.branches.begin());
  if (ready_) {
    Offer offer = std::move(*ready_);
    ready_.reset();
    return offer;
  }
  Offer offer{branch.action.inputs, {}, node.state, node.names};
  offer.run = runner_.run(offer.state, offer.names, branch.action.thread, offer.inputs);
  setting_.statistics.steps += offer.run.steps;
  note_run(offer.run);
  // Unknown code that might race is cut off wherever somebody is about to access its object.
  CHECK(is_event(offer.run.ending) || (offer.run.ending == Ending::cut && result_.gap),
        "an event that is to be explored can be run");
  return offer;
}

void Dpor::advance() {
  Branch branch;
  Offer offer = take_first(nodes_.back(), branch);
  if (!is_event(offer.run.ending)) return;
  CHECK(offer.run.steps > 0, "an event takes a step, or executions would not end");
  const ThreadNumber thread = branch.action.thread;
  ++setting_.statistics.events;
  setting_.statistics.reduced_steps += offer.run.local_steps;
  if (offer.run.violation) {
    Way way = way_to(trace_.size(), std::nullopt);
    const Runner::Watch watch{&way.steps, {}};
    runner_.run(way.state, way.names, thread, offer.inputs, &watch);
    report(std::move(way.steps), std::move(*offer.run.violation));
    return;
  }
  Event event{{thread, offer.inputs, machine::Shared(offer.run.footprint)}};
  event.number = static_cast<std::uint32_t>(trace_.events_of(thread).size() + 1);
  event.fixed = offer.run.fixed;
  event.changes_objects = offer.run.changes_objects;
  event.own_objects = offer.run.own_objects;
  find_races(event, Occurs::now);
  if (result_.unsafe) return;
  Node next = successor(nodes_.back(), std::move(offer), event, std::move(branch));
  nodes_.push_back(std::move(next));
  trace_.push(std::move(event));
  setting_.statistics.depth = std::max(setting_.statistics.depth, nodes_.back().steps);
  stop_repeating(thread);
}

Dpor::Node Dpor::successor(const Node& node, Offer offer, const Event& event, Branch branch) {
  Node next{.state = std::move(offer.state), .names = std::move(offer.names)};
  next.branches = std::move(branch.after);
  next.begun = !next.branches.empty();
  next.steps = node.steps + offer.run.steps;
  for (const Action& sleeper : node.sleep)
    if (!dependent(sleeper, event.action)) next.sleep.push_back(sleeper);
  next.idle = node.idle;
  next.idle.resize(next.state.thread_count());
  wake(next, event.action);
  return next;
}

// Those who wait look again where something has changed.
void Dpor::wake(Node& next, const Action& action) {
  const Footprint& footprint = *action.footprint;
  if (!footprint.writes()) return;
  for (std::shared_ptr<const Idle>& idle : next.idle) {
    if (!idle || idle->for_good || !dependent(footprint, idle->footprint)) continue;
    // What such a section has read before it waits may be old when it goes on.
    for (std::size_t i = 0; i < idle->before_waiting; ++i)
      for (const Touched& touch : footprint.touched)
        if (conflicting(touch, idle->footprint.touched[i])) needs_split_sections_ = true;
    idle.reset();
  }
}

// A thread that has only read and stands where it stood some events ago has waited in vain. The
// execution without these events leads to the same state, so this one need not go on with it.
void Dpor::stop_repeating(ThreadNumber thread) {
  const machine::State& state = nodes_.back().state;
  if (!setting_.machine.live(state, thread)) return;
  const std::vector<Position>& own = trace_.events_of(thread);
  std::vector<machine::Address> changed;
  for (std::size_t back = 1; back <= own.size() && back <= longest_repetition; ++back) {
    const Position at = own[own.size() - back];
    const Event& event = trace_[at];
    if (event.action.footprint->writes()) return;
    changed.insert(changed.end(), event.own_objects.begin(), event.own_objects.end());
    if (!same_place(nodes_[at].state, state, thread, changed)) continue;
    auto idle = std::make_shared<Idle>();
    idle->why = Ending::spins;
    idle->for_good = true;
    nodes_.back().idle[thread] = std::move(idle);
    return;
  }
}

}  // namespace heddle::engine::explore
