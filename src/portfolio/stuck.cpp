#include "portfolio/stuck.hpp"

#include <algorithm>
#include <vector>

#include "machine/machine.hpp"
#include "machine/state_set.hpp"

namespace heddle::portfolio {
namespace {

constexpr std::size_t most_states = 200'000;
constexpr std::uint64_t most_inputs = 16;

class Future {
 public:
  Future(const machine::Machine& machine, const std::vector<verdict::ThreadNumber>& stuck)
      : machine_(machine), stuck_(stuck) {}

  Stuck explore(const machine::State& start) {
    enter(start);
    while (!pending_.empty() && answer_ == Stuck::confirmed) {
      const machine::State state = std::move(pending_.back());
      pending_.pop_back();
      for (verdict::ThreadNumber thread = 0; thread < state.thread_count(); ++thread)
        if (machine_.enabled(state, thread)) move(state, thread);
      if (seen_.size() > most_states) answer_ = Stuck::undecided;
    }
    return answer_;
  }

 private:
  void enter(const machine::State& state) {
    if (!seen_.insert(state).fresh) return;
    const bool all_wait = std::all_of(stuck_.begin(), stuck_.end(), [&](verdict::ThreadNumber t) {
      return machine_.live(state, t) && machine_.blocked(state, t);
    });
    if (!all_wait) answer_ = Stuck::refuted;
    pending_.push_back(state);
  }

  void move(const machine::State& state, verdict::ThreadNumber thread) {
    for (const ir::EdgeId edge : machine_.edges(state, thread)) {
      const auto request = machine_.input_needed(state, thread, edge);
      if (!request) {
        take(state, thread, edge, std::nullopt);
        continue;
      }
      const bool boolean = machine_.program().type(request->type).kind == ir::TypeKind::boolean;
      const std::uint64_t range = boolean ? 2 : request->limit;
      if (range == 0 || range > most_inputs) answer_ = Stuck::undecided;
      for (std::uint64_t value = 0; value < range && answer_ == Stuck::confirmed; ++value)
        take(state, thread, edge, value);
    }
  }

  void take(machine::State state, verdict::ThreadNumber thread, ir::EdgeId edge,
            std::optional<std::uint64_t> input) {
    const machine::StepResult result = machine_.step(state, thread, edge, input);
    switch (result.outcome) {
      case machine::Outcome::moved:
        return result.violation ? void() : enter(state);
      case machine::Outcome::pruned:
      case machine::Outcome::blocked:
        return;
      case machine::Outcome::process_ended:
        answer_ = Stuck::refuted;
        return;
      case machine::Outcome::needs_input:
      case machine::Outcome::cut:
        answer_ = Stuck::undecided;
        return;
    }
  }

  const machine::Machine& machine_;
  const std::vector<verdict::ThreadNumber>& stuck_;
  machine::StateSet seen_{};
  std::vector<machine::State> pending_{};
  Stuck answer_ = Stuck::confirmed;
};

}  // namespace

Stuck never_move_again(const ir::Program& program, const verdict::Property& property,
                       const verdict::Unsafe& unsafe, verdict::AnnotatedTrace& trace) {
  const machine::Machine machine(program, property);
  machine::State state = machine.initial();
  for (const verdict::Step& step : unsafe.trace.steps)
    machine.step(state, step.thread, step.edge, step.input);
  if (unsafe.violation.stuck.empty()) return Stuck::refuted;
  const Stuck answer = Future(machine, unsafe.violation.stuck).explore(state);
  if (answer != Stuck::confirmed) return answer;
  for (const verdict::ThreadNumber thread : unsafe.violation.stuck) {
    const auto wait = machine.wait(state, thread);
    trace.waiting.push_back({.thread = thread,
                             .edge = wait->edge,
                             .object = machine.memory().describe(state, wait->address),
                             .holder = wait->holder,
                             .holder_ended = wait->holder && !machine.live(state, *wait->holder)});
  }
  return answer;
}

}  // namespace heddle::portfolio
