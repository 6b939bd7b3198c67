#include "engine/explore/mover.hpp"

#include <utility>
#include <variant>

#include "base/check.hpp"
#include "engine/explore/user_edge.hpp"

namespace heddle::engine::explore {
namespace {

constexpr std::uint64_t longest_section_tried = 200;
// Of a loop on shared memory that goes on and on, others should see something in between.
constexpr std::uint64_t most_persistent_steps = 500;

bool begins_section(const ir::Edge& edge) {
  const auto* atomic = std::get_if<ir::Atomic>(&edge.statement);
  return atomic != nullptr && atomic->mark == ir::AtomicMark::begin;
}

}  // namespace

// Finds out that a chain goes round in circles (Brent): compares with a state of the past that is
// renewed after 64, 128, ... loop heads.
class Mover::CircleDetector {
 public:
  explicit CircleDetector(const machine::State& start) : past_(start) {}

  bool closed(const machine::State& state) {
    if (past_ == state) return true;
    if (++seen_ == renew_at_) {
      past_ = state;
      renew_at_ *= 2;
    }
    return false;
  }

 private:
  machine::State past_;
  std::uint64_t seen_ = 0, renew_at_ = 64;
};

struct Mover::Run {
  machine::State& state;
  std::vector<verdict::Step>* record;
  Move move{};
  // As seen from the thread that is moving; nothing: to be found out again.
  std::optional<Persistence::Others> others{};
};

Mover::Mover(const ir::Program& program, const machine::Machine& machine,
             const Reductions& reductions, const verdict::Property& property,
             const Options& options)
    : program_(program),
      machine_(machine),
      locality_(reductions.locality),
      audit_(reductions.audit),
      persistence_(reductions.persistence),
      locks_(reductions.locks),
      races_asked_(property.has(verdict::Check::race)),
      options_(options) {}

bool Mover::alone(const machine::State& state) const {
  std::uint32_t live = 0;
  for (ThreadNumber thread = 0; thread < state.thread_count(); ++thread)
    live += machine_.live(state, thread) ? 1 : 0;
  return live == 1;
}

bool Mover::local(const machine::State& state, ThreadNumber thread) const {
  if (options_.local_steps == LocalSteps::off) return false;
  const std::span<const ir::EdgeId> edges = machine_.edges(state, thread);
  if (edges.empty()) return false;
  if (locality_.local(state, thread, edges.front()) || alone(state)) return true;
  if (persistence_ == nullptr && locks_ == nullptr) return false;
  machine::State ahead = state;
  Run trial{ahead, nullptr};
  if (enters_section(state, thread, edges.front())) return pass_local_section(trial, thread);
  return undisturbed(trial, thread, edges.front());
}

Move Mover::move(machine::State& state, ThreadNumber thread, std::optional<std::uint64_t> input,
                 std::vector<verdict::Step>* record) const {
  Run run{state, record};
  const ThreadNumber known = state.thread_count();
  CircleDetector circle(state);
  const bool moved = take(run, thread, input);
  if (run.move.end != MoveEnd::stopped || options_.local_steps == LocalSteps::off) return run.move;
  CHECK(moved, "the thread is enabled and its input, if it needs one, is given");
  chain(run, thread, circle);
  // A thread that was just created comes to its first step that others can notice. If it gets
  // stuck on the way, that is its own affair.
  for (ThreadNumber fresh = known; fresh < state.thread_count(); ++fresh) {
    if (run.move.end != MoveEnd::stopped) break;
    CircleDetector fresh_circle(state);
    chain(run, fresh, fresh_circle);
    if (run.move.end == MoveEnd::pruned || run.move.end == MoveEnd::cut)
      run.move.end = MoveEnd::stopped;
  }
  if (run.move.steps > 0) run.move.local_steps = run.move.steps - 1;
  return run.move;
}

// Takes one step along whichever edge can be taken, and says in `run.move.end` what came of it.
// False if the thread is where it was.
bool Mover::take(Run& run, ThreadNumber thread, std::optional<std::uint64_t> input) const {
  for (const ir::EdgeId edge : machine_.edges(run.state, thread)) {
    if (options_.local_steps == LocalSteps::on) note(run, thread, edge);
    machine::StepResult result = machine_.step(run.state, thread, edge, input);
    if (result.outcome == machine::Outcome::pruned) continue;
    if (result.outcome == machine::Outcome::needs_input ||
        result.outcome == machine::Outcome::blocked)
      return false;
    if (result.outcome == machine::Outcome::cut) {
      run.move.end = MoveEnd::cut;
      if (!run.move.gap) {
        run.move.gap = result.gap;
        run.move.detail = std::move(result.detail);
        run.move.cut_at = user_edge(program_, run.state, thread, edge);
      }
      return false;
    }
    ++run.move.steps;
    if (run.record != nullptr) run.record->push_back({thread, edge, input});
    if (result.violation) {
      run.move.end = MoveEnd::violated;
      run.move.violation = std::move(result.violation);
    } else if (result.outcome == machine::Outcome::process_ended) {
      run.move.end = MoveEnd::process_ended;
    }
    return true;
  }
  run.move.end = MoveEnd::pruned;
  return false;
}

// What the reductions rest on is watched at every step.
void Mover::note(const Run& run, ThreadNumber thread, ir::EdgeId next) const {
  if (locks_ != nullptr) locks_->note(run.state, thread, next);
  if (!locality_.access(next)) return;
  const bool shared = locality_.shared_access(next);
  audit_.note(machine_, run.state, thread, next,
              shared ? SharingAudit::Belief::shared : SharingAudit::Belief::unshared);
  if (shared && persistence_ != nullptr) persistence_->note(run.state, thread, next);
}

void Mover::chain(Run& run, ThreadNumber thread, CircleDetector& circle) const {
  const std::uint64_t limit = run.move.steps + options_.chain_limit;
  run.others.reset();
  while (run.move.end == MoveEnd::stopped) {
    const std::span<const ir::EdgeId> edges = machine_.edges(run.state, thread);
    if (edges.empty() || run.state.holder().value_or(thread) != thread) return;
    const ir::EdgeId next = edges.front();
    if (!may_continue(run, thread, next)) {
      if (!enters_section(run.state, thread, next) || !pass_local_section(run, thread)) return;
      continue;
    }
    if (races_inside_section(run, thread, next)) return;
    const bool at_loop_head = program_.location(program_.edge(next).from).loop_head;
    if (at_loop_head && circle.closed(run.state)) return;
    if (run.move.persistent_steps >= most_persistent_steps ||
        (run.move.steps >= limit && (at_loop_head || run.move.steps >= 2 * limit))) {
      run.move.interrupted = true;
      return;
    }
    if (!take(run, thread, std::nullopt)) return;
  }
}

bool Mover::may_continue(Run& run, ThreadNumber thread, ir::EdgeId next) const {
  if (run.state.holder() == thread || locality_.local(run.state, thread, next) || alone(run.state))
    return true;
  if (enters_section(run.state, thread, next) || !undisturbed(run, thread, next)) return false;
  // It may let others go on that could not until now.
  run.others.reset();
  return true;
}

bool Mover::undisturbed(Run& run, ThreadNumber thread, ir::EdgeId next) const {
  if (locks_ != nullptr && locks_->held(run.state, thread, next)) {
    ++run.move.persistent_steps;
    ++run.move.protected_steps;
    return true;
  }
  if (persistence_ == nullptr) return false;
  if (!run.others) run.others = persistence_->others(run.state, thread);
  if (!persistence_->undisturbed(run.state, thread, next, *run.others)) return false;
  ++run.move.persistent_steps;
  return true;
}

// With this step the thread runs alone; a section goes on where it waited.
bool Mover::enters_section(const machine::State& state, ThreadNumber thread,
                           ir::EdgeId next) const {
  return begins_section(program_.edge(next)) ||
         (state.thread(thread).atomic_depth > 0 && state.holder() != thread);
}

// An atomic section in which nobody else takes part is one local step. Tries it on a copy: once
// begun, it would keep the others out.
bool Mover::pass_local_section(Run& run, ThreadNumber thread) const {
  machine::State ahead = run.state;
  std::vector<verdict::Step> steps;
  Run trial{ahead, run.record != nullptr ? &steps : nullptr};
  trial.others = std::move(run.others);
  run.others.reset();
  const auto may_take = [&](ir::EdgeId next) {
    if (begins_section(program_.edge(next)) || locality_.local(ahead, thread, next)) return true;
    return undisturbed(trial, thread, next);
  };
  do {
    const std::span<const ir::EdgeId> edges = machine_.edges(ahead, thread);
    if (edges.empty() || trial.move.steps > longest_section_tried) return false;
    if (!may_take(edges.front()) || !take(trial, thread, std::nullopt)) return false;
  } while (trial.move.end == MoveEnd::stopped && ahead.holder() == thread);
  if (trial.move.end != MoveEnd::stopped) return false;
  run.state = std::move(ahead);
  run.move.steps += trial.move.steps;
  run.move.persistent_steps += trial.move.persistent_steps;
  run.move.protected_steps += trial.move.protected_steps;
  if (run.record != nullptr) run.record->insert(run.record->end(), steps.begin(), steps.end());
  return true;
}

// The search sees no state inside of a section, so races with it are looked for on the way.
bool Mover::races_inside_section(Run& run, ThreadNumber thread, ir::EdgeId next) const {
  if (!races_asked_ || run.state.holder() != thread || !locality_.shared_access(next)) return false;
  std::optional<verdict::Violation> race = machine_.race(run.state);
  if (!race) return false;
  run.move.end = MoveEnd::violated;
  run.move.violation = std::move(race);
  return true;
}

}  // namespace heddle::engine::explore
