// A thread waits for ever from a state on if it is blocked in all that can be reached
// from there, and the process never ends. To wait for a thread that runs is no such
// wait, even if it never lets go. So: all states, then for each thread
// backwards from those where it is not blocked; what is left over is endless.
#include "generate/waiting.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "machine/machine.hpp"
#include "machine/state_set.hpp"

namespace heddle::generate {
namespace {

using machine::Outcome;
using machine::State;
using machine::ThreadNumber;

class Graph {
 public:
  explicit Graph(const ir::Program& program) : program_(program), machine_(program, property_) {}

  Waiting look(std::uint64_t most_states) {
    enter(machine_.initial());
    for (std::uint32_t at = 0; at < states_.size() && complete_; ++at) {
      if (states_.size() > most_states) complete_ = false;
      const State state = states_[at];
      for (ThreadNumber thread = 0; thread < state.thread_count(); ++thread) {
        if (machine_.enabled(state, thread) && !move(at, state, thread)) discarded_.push_back(at);
      }
    }
    if (!complete_) return Waiting::undecided;
    spread_discarded();
    for (ThreadNumber thread = 0; thread < most_threads_; ++thread) {
      if (waits_for_ever(thread)) return Waiting::endless;
    }
    return Waiting::none;
  }

 private:
  std::uint32_t enter(const State& state) {
    const auto entry = set_.insert(state);
    if (!entry.fresh) return entry.number;
    states_.push_back(state);
    before_.emplace_back();
    after_.push_back(0);
    ends_.push_back(0);
    most_threads_ = std::max(most_threads_, state.thread_count());
    return entry.number;
  }

  // False if an Assume discards the execution.
  bool move(std::uint32_t from, const State& state, ThreadNumber thread) {
    bool exists = false;
    for (const ir::EdgeId edge : machine_.edges(state, thread)) {
      const auto request = machine_.input_needed(state, thread, edge);
      if (!request) {
        exists |= take(from, state, thread, edge, std::nullopt);
        continue;
      }
      const bool is_bit = program_.type(request->type).width == 1;
      const std::uint64_t values = request->limit != 0 ? request->limit : is_bit ? 2 : 0;
      if (values == 0) complete_ = false;
      for (std::uint64_t value = 0; value < values; ++value) {
        exists |= take(from, state, thread, edge, value);
      }
    }
    return exists;
  }

  bool take(std::uint32_t from, State state, ThreadNumber thread, ir::EdgeId edge,
            std::optional<std::uint64_t> input) {
    switch (machine_.step(state, thread, edge, input).outcome) {
      case Outcome::moved:
        before_[enter(state)].push_back(from);
        ++after_[from];
        return true;
      case Outcome::process_ended:
        ends_[from] = 1;
        return true;
      case Outcome::pruned:
        return false;
      case Outcome::blocked:
        return true;
      case Outcome::needs_input:
      case Outcome::cut:
        complete_ = false;
        return true;
    }
    return true;
  }

  // What leads only to discarded states is discarded as well. These say nothing about waits.
  void spread_discarded() {
    exists_.assign(states_.size(), 1);
    while (!discarded_.empty()) {
      const std::uint32_t at = discarded_.back();
      discarded_.pop_back();
      if (exists_[at] == 0) continue;
      exists_[at] = 0;
      for (const std::uint32_t earlier : before_[at]) {
        if (--after_[earlier] == 0 && ends_[earlier] == 0) discarded_.push_back(earlier);
      }
    }
  }

  // The thread is blocked, and so is whoever it waits for, and so on.
  bool is_blocked(const State& state, ThreadNumber thread) const {
    for (ThreadNumber hops = 0; hops <= state.thread_count(); ++hops) {
      if (thread >= state.thread_count() || !machine_.live(state, thread)) return hops != 0;
      const auto wait = machine_.wait(state, thread);
      if (!wait) return false;
      if (!wait->holder) return true;
      thread = *wait->holder;
    }
    return true;  // they wait for each other
  }

  bool waits_for_ever(ThreadNumber thread) const {
    std::vector<std::uint8_t> hopeful(states_.size(), 0);
    std::vector<std::uint32_t> pending;
    for (std::uint32_t at = 0; at < states_.size(); ++at) {
      if (exists_[at] != 0 && is_blocked(states_[at], thread) && ends_[at] == 0) continue;
      hopeful[at] = 1;
      if (exists_[at] != 0) pending.push_back(at);
    }
    while (!pending.empty()) {
      const std::uint32_t at = pending.back();
      pending.pop_back();
      for (const std::uint32_t earlier : before_[at]) {
        if (hopeful[earlier] == 0) pending.push_back(earlier);
        hopeful[earlier] = 1;
      }
    }
    return std::ranges::find(hopeful, 0) != hopeful.end();
  }

  const ir::Program& program_;
  verdict::Property property_{{verdict::Check::deadlock}};
  machine::Machine machine_;
  machine::StateSet set_{};
  std::vector<State> states_{};                       // by number
  std::vector<std::vector<std::uint32_t>> before_{};  // by number: from where it is reached
  std::vector<std::uint32_t> after_{};                // by number: moves to states that exist
  std::vector<std::uint32_t> discarded_{};
  std::vector<std::uint8_t> exists_{};  // by number: no Assume discards the execution there
  std::vector<std::uint8_t> ends_{};    // by number: the process may end here
  ThreadNumber most_threads_ = 0;
  bool complete_ = true;
};

}  // namespace

Waiting look_for_endless_waits(const ir::Program& program, std::uint64_t most_states) {
  return Graph(program).look(most_states);
}

}  // namespace heddle::generate
