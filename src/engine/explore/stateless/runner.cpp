#include "engine/explore/stateless/runner.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/check.hpp"
#include "engine/explore/stateless/runner_run.hpp"
#include "engine/explore/user_edge.hpp"

namespace heddle::engine::explore {
namespace {

// What the same thread does next depends on no memory that others might have written.
bool is_fixed(const ir::Statement& statement) {
  return std::holds_alternative<ir::Store>(statement) ||
         std::holds_alternative<ir::Return>(statement) ||
         std::holds_alternative<ir::Exit>(statement) ||
         std::holds_alternative<ir::Spawn>(statement) ||
         std::holds_alternative<ir::Alloc>(statement) ||
         std::holds_alternative<ir::Havoc>(statement);
}

// Parts are compared only where they are not the very same.
bool same_frames(const machine::Thread& a, const machine::Thread& b) {
  if (a.frames.size() != b.frames.size() || a.atomic_depth != b.atomic_depth) return false;
  for (std::size_t i = a.frames.size(); i-- > 0;)
    if (&*a.frames[i] != &*b.frames[i] && !(*a.frames[i] == *b.frames[i])) return false;
  return true;
}

const machine::Object* object_at(const machine::State& state, machine::Address base) {
  const auto& entries = state.objects();
  const auto at = std::lower_bound(
      entries.begin(), entries.end(), base,
      [](const machine::ObjectEntry& entry, machine::Address b) { return entry.base < b; });
  return at != entries.end() && at->base == base ? &*at->object : nullptr;
}

bool same_objects(const machine::State& before, const machine::State& after,
                  std::span<const machine::Address> changed) {
  return std::all_of(changed.begin(), changed.end(), [&](machine::Address base) {
    const machine::Object* then = object_at(before, base);
    const machine::Object* now = object_at(after, base);
    return then == now || (then != nullptr && now != nullptr && *then == *now);
  });
}

}  // namespace

bool same_place(const machine::State& before, const machine::State& after, ThreadNumber thread,
                std::span<const machine::Address> changed) {
  return same_frames(before.thread(thread), after.thread(thread)) &&
         same_objects(before, after, changed);
}

Runner::Runner(const machine::Machine& machine, const Locality& locality, SharingAudit& audit,
               const Options& options, Sections sections)
    : machine_(machine),
      program_(machine.program()),
      locality_(locality),
      audit_(audit),
      local_steps_(options.local_steps),
      chain_limit_(options.chain_limit),
      sections_(sections) {
  noticeable_.resize(program_.edges().size());
  for (std::uint32_t i = 0; i < noticeable_.size(); ++i) noticeable_[i] = noticeable({i}) ? 1 : 0;
}

EventRun Runner::run(machine::State& state, Names& names, ThreadNumber thread,
                     std::span<const std::uint64_t> inputs, const Watch* watch) const {
  Run run{state, names, thread, inputs, watch, state.threads()[thread]};
  while (advance(run)) {
  }
  conclude(run);
  if (run.out.steps > 0) run.out.local_steps = run.out.steps - 1;
  return std::move(run.out);
}

void Runner::approach(machine::State& state, ThreadNumber thread,
                      std::vector<verdict::Step>& record) const {
  for (std::uint64_t steps = 0; steps < chain_limit_; ++steps) {
    const std::span<const ir::EdgeId> edges = machine_.edges(state, thread);
    if (edges.empty() || !local(state, thread, edges.front())) return;
    bool moved = false;
    for (const ir::EdgeId edge : edges) {
      moved = machine_.step(state, thread, edge).outcome == machine::Outcome::moved;
      if (!moved) continue;
      record.push_back({thread, edge, std::nullopt});
      break;
    }
    if (!moved) return;
  }
}

// Before it has created any, a program's first thread has nobody to be noticed by.
bool Runner::local(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const {
  if (local_steps_ == LocalSteps::off) return false;
  return state.thread_count() == 1 || locality_.local(state, thread, next);
}

bool Runner::ends_process(const machine::State& state, ThreadNumber thread, ir::EdgeId edge) const {
  const ir::Statement& statement = program_.edge(edge).statement;
  if (const auto* exit = std::get_if<ir::Exit>(&statement))
    return exit->scope != ir::ExitScope::thread;
  return std::holds_alternative<ir::Return>(statement) && thread == 0 &&
         state.thread(thread).frames.size() == 1;
}

// One step; false when the event is over.
bool Runner::advance(Run& run) const {
  const std::span<const ir::EdgeId> edges = machine_.edges(run.state, run.thread);
  if (edges.empty()) {
    if (run.out.steps == 0) run.out.ending = Ending::ended;
    return false;
  }
  if (run.watch != nullptr && run.watch->stop && run.watch->stop(run.state)) return false;
  const bool inside = run.state.holder() == run.thread;
  if (stop_before(run, edges.front(), inside)) return false;
  return take(run, edges, inside);
}

bool Runner::stop_before(Run& run, ir::EdgeId next, bool inside) const {
  if (ends_process(run.state, run.thread, next)) {
    if (run.out.steps == 0 || inside) run.out.ending = Ending::exits;
    return true;
  }
  const ir::Statement& statement = program_.edge(next).statement;
  if (inside) {
    if (run.out.steps <= 2 * chain_limit_) return false;
    run.out.ending = Ending::cut;
    run.out.gap = verdict::Gap::bound;
    run.out.detail = "an atomic section seems not to end";
    run.out.cut_at = next;
    return true;
  }
  const bool blocked =
      std::holds_alternative<ir::Await>(statement) && machine_.blocked(run.state, run.thread);
  if (blocked || !local(run.state, run.thread, next)) {
    if (run.noticed) return true;
    if (blocked) {
      note_touches(run, next);
      run.out.ending = Ending::waits;
      return true;
    }
    run.noticed = true;
    run.in_section = std::holds_alternative<ir::Atomic>(statement);
    run.out.fixed = is_fixed(statement);
    return false;
  }
  if (goes_in_circles(run, next)) return true;
  return run.out.steps >= chain_limit_;
}

bool Runner::goes_in_circles(Run& run, ir::EdgeId next) const {
  if (run.out.steps == 0 || !program_.location(program_.edge(next).from).loop_head) return false;
  if (run.past && *run.past == run.state) {
    if (run.out.footprint.empty()) run.out.ending = Ending::spins;
    return true;
  }
  if (run.loop_heads++ >= run.renew_at) {
    run.past = run.state;
    run.renew_at = 2 * run.renew_at + 8;
  }
  return false;
}

bool Runner::take(Run& run, std::span<const ir::EdgeId> edges, bool inside) const {
  for (const ir::EdgeId edge : edges) {
    note_touches(run, edge);
    const bool by_itself = inside || !run.noticed || !local(run.state, run.thread, edge);
    std::optional<std::uint64_t> input;
    machine::StepResult result = machine_.step(run.state, run.thread, edge);
    if (result.outcome == machine::Outcome::pruned) continue;
    if (result.outcome == machine::Outcome::needs_input) {
      if (!by_itself && run.out.steps > 0) return false;  // the next event begins here
      run.noticed = true;
      if (run.inputs_used == run.inputs.size()) {
        run.out.ending = Ending::needs_input;
        run.out.request = *machine_.input_needed(run.state, run.thread, edge);
        run.out.input_edge = edge;
        return false;
      }
      input = run.inputs[run.inputs_used++];
      note_setting(run, edge);
      result = machine_.step(run.state, run.thread, edge, input);
    }
    return arrive(run, edge, input, std::move(result));
  }
  run.out.ending = Ending::pruned;
  return false;
}

// Notes what the step has come to.
bool Runner::arrive(Run& run, ir::EdgeId edge, std::optional<std::uint64_t> input,
                    machine::StepResult result) const {
  EventRun& out = run.out;
  if (result.outcome == machine::Outcome::cut) {
    out.gap = result.gap;
    out.detail = std::move(result.detail);
    out.cut_at = user_edge(program_, run.state, run.thread, edge);
    const bool others_can_go_on = run.state.holder() != run.thread;
    if (!others_can_go_on || !run.has_written) out.ending = Ending::cut;
    return false;
  }
  CHECK(result.outcome == machine::Outcome::moved, "what ends or blocks a thread is seen before");
  ++out.steps;
  if (run.watch != nullptr && run.watch->record != nullptr)
    run.watch->record->push_back({run.thread, edge, input});
  if (result.violation) {
    out.ending = Ending::violated;
    out.violation = std::move(result.violation);
    return false;
  }
  run.has_written = out.footprint.writes();
  // Even a thread that was alone has been noticed when there is another one.
  run.noticed = run.noticed || out.footprint.spawned > 0;
  note_allocation(run, edge);
  return local_steps_ == LocalSteps::on || run.state.holder() == run.thread;
}

// Says what the whole run is worth.
void Runner::conclude(Run& run) const {
  EventRun& out = run.out;
  const bool writes = out.footprint.writes();
  if (out.ending == Ending::pruned && run.state.holder() != run.thread && writes)
    out.ending = Ending::ran;
  if (out.ending != Ending::ran || !machine_.live(run.state, run.thread)) return;
  if (run.state.thread(run.thread).atomic_depth > 0) {
    // It has stopped at an Await and has let the others in, since that does not hold.
    const std::size_t before = out.footprint.touched.size();
    note_touches(run, machine_.edges(run.state, run.thread).front());
    if (run.in_section && !writes && sections_ == Sections::whole) {
      out.before_waiting = before;
      out.ending = Ending::waits;
      return;
    }
  }
  if (!writes && same_frames(*run.start, run.state.thread(run.thread)) &&
      (!run.before || same_objects(*run.before, run.state, out.own_objects)))
    out.ending = Ending::spins;
}

}  // namespace heddle::engine::explore
