// What the stateless search does at the end of an execution, and what it reports.
#include <algorithm>
#include <utility>

#include "engine/explore/stateless/dpor.hpp"

namespace heddle::engine::explore {
namespace {

constexpr std::uint64_t events_between_memory_checks = 1024;
constexpr std::uint64_t events_between_reports = 1024;

}  // namespace

// Nobody can go on.
void Dpor::complete() {
  ++setting_.statistics.executions;
  if (setting_.options.dpor == DporMode::none) {
    traces_.insert(trace_.digest());
    setting_.statistics.traces = traces_.size();
  }
  if (asks_deadlocks_) check_deadlock();
  if (!result_.unsafe && asks_leaks_) check_leak();
  if (!result_.unsafe) reverse_races();
}

// Threads that wait in a section stand before it; the machine wants them inside.
void Dpor::check_deadlock() {
  const Node& node = nodes_.back();
  machine::State state = node.state;
  Names names = node.names;
  std::vector<verdict::Step> steps;
  bool spins = false, exits = false, waits_for_anyone = false;
  for (ThreadNumber thread = 0; thread < node.idle.size(); ++thread) {
    if (!node.idle[thread]) continue;
    const Idle& idle = *node.idle[thread];
    spins = spins || idle.why == Ending::spins;
    exits = exits || idle.why == Ending::exits;
    if (idle.why != Ending::waits) continue;
    const Runner::Watch watch{&steps, {}};
    splitter_.run(state, names, thread, idle.inputs, &watch);
    const auto wait = setting_.machine.wait(state, thread);
    waits_for_anyone = waits_for_anyone || (wait && !wait->holder);
  }
  if (std::optional<verdict::Violation> violation = setting_.machine.deadlock(state)) {
    Way way = way_to(trace_.size(), std::nullopt);
    way.steps.insert(way.steps.end(), steps.begin(), steps.end());
    return report(std::move(way.steps), std::move(*violation));
  }
  if (spins && waits_for_anyone && !exits)
    note_cut(verdict::Gap::bound, "a thread waits while others spin, for ever perhaps", {});
}

// What is lost when the process ends shows at its end. If others might still run then, or might
// not have run so far, that end is one of many.
void Dpor::check_leak() {
  const Node& node = nodes_.back();
  for (ThreadNumber thread = 0; thread < node.idle.size(); ++thread) {
    if (!node.idle[thread] || node.idle[thread]->why != Ending::exits) continue;
    const Clock clock = trace_.clock_of(thread);
    bool last = node.idle[thread]->footprint.empty();
    for (ThreadNumber other = 0; other < node.idle.size(); ++other)
      last = last && (other < clock.size() ? clock[other] : 0) == trace_.events_of(other).size();
    const ir::EdgeId edge = setting_.machine.edges(node.state, thread).front();
    if (!last) {
      note_cut(verdict::Gap::bound, "the process may end while other threads run", edge);
      continue;
    }
    machine::State state = node.state;
    machine::StepResult result = setting_.machine.step(state, thread, edge);
    if (!result.violation) continue;
    Way way = way_to(trace_.size(), std::nullopt);
    way.steps.push_back({thread, edge, std::nullopt});
    report(std::move(way.steps), std::move(*result.violation));
    if (result_.unsafe) return;
  }
}

// The steps of the events before `end`; with one left out, without all that happened after that.
Dpor::Way Dpor::way_to(Position end, std::optional<Position> without) const {
  Way way{{}, setting_.machine.initial(), {}};
  const Runner::Watch watch{&way.steps, {}};
  for (Position at = 0; at < end; ++at) {
    const Action& action = trace_[at].action;
    if (without && at >= *without && trace_.happened(*without, trace_[at].clock)) continue;
    runner_.run(way.state, way.names, action.thread, action.inputs, &watch);
  }
  return way;
}

void Dpor::report(std::vector<verdict::Step> steps, verdict::Violation violation) {
  verdict::Unsafe unsafe{{std::move(steps)}, std::move(violation)};
  const bool may_find_worse =
      unsafe.violation.check == verdict::Check::leak && setting_.property.checks.size() > 1;
  if (!may_find_worse) {
    result_.unsafe = std::move(unsafe);
    return;
  }
  if (leak_) return;
  leak_ = std::move(unsafe);
  leak_found_at_ = checks_;
}

void Dpor::note_run(const EventRun& run) {
  if (run.gap) note_cut(*run.gap, run.detail, run.cut_at);
}

// An unsupported construct says more than a bound of ours, so it is the one to be told.
void Dpor::note_cut(verdict::Gap gap, std::string detail, ir::EdgeId edge) {
  const bool worse =
      result_.gap && result_.gap->gap == verdict::Gap::bound && gap != verdict::Gap::bound;
  if (result_.gap && !worse) return;
  result_.gap = verdict::Unknown{gap, std::move(detail), {}, {}};
  if (edge.valid()) result_.gap->source = setting_.program.edge(edge).source;
}

bool Dpor::over() {
  constexpr std::uint64_t at_least = 20'000;
  const bool searched_enough_after_leak = leak_ && checks_ > 4 * leak_found_at_ + at_least;
  return nodes_.empty() || gives_up_ || result_.unsafe || searched_enough_after_leak ||
         setting_.audit.contradicted() || needs_split_sections_ || out_of_budget();
}

// Each branch of a state counts for as much as every other one that is known there. More may turn
// up, so this is an estimate, and rather too high.
double Dpor::share() const {
  double whole = 1, done = 0;
  for (const Node& node : nodes_) {
    const auto explored = static_cast<double>(node.explored);
    const double all = explored + 1 + static_cast<double>(node.branches.size());
    done += whole * explored / all;
    whole /= all;
  }
  return done;
}

bool Dpor::out_of_budget() {
  ++checks_;
  const bool time = setting_.budget.out_of_time();
  const bool memory =
      !time && checks_ % events_between_memory_checks == 0 && setting_.budget.out_of_memory();
  if (checks_ % events_between_reports == 0 || time || memory) {
    const Statistics& counted = setting_.statistics;
    setting_.statistics.share = share();
    setting_.listener.progress({.steps = counted.steps,
                                .depth = counted.depth,
                                .executions = counted.executions,
                                .share = counted.share});
  }
  if (time)
    result_.gap = verdict::Unknown{verdict::Gap::time, "the time limit was reached", {}, {}};
  if (memory)
    result_.gap = verdict::Unknown{verdict::Gap::memory, "the memory limit was reached", {}, {}};
  return time || memory;
}

}  // namespace heddle::engine::explore
