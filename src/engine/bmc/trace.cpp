#include "engine/bmc/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace heddle::engine::bmc {
namespace {

using machine::Outcome;
using machine::ThreadNumber;

// Where the machine has put the blocks of the unfolding, by their addresses there. They differ
// where other paths allocate too, which matters only to inputs that are addresses.
using Moved = std::map<Address, Address>;

class TraceBuilder {
 public:
  TraceBuilder(const Round& round, const Encoder& encoder, const machine::Machine& machine,
               const Moved& expected)
      : objects_(round.objects),
        expected_(expected),
        unfolding_(round.unfolding),
        encoder_(encoder),
        machine_(machine),
        state_(machine.initial()),
        cursors_(unfolding_.threads.size(), 0),
        numbers_(unfolding_.threads.size()),
        owners_(unfolding_.previous.size(), 0) {
    numbers_[0] = 0;
    for (ThreadIndex t = 0; t < unfolding_.threads.size(); ++t)
      for (const NodeIndex node : unfolding_.threads[t].chain) owners_[node] = t;
    for (const Wait& wait : unfolding_.waits) {
      if (encoder_.value(wait.reached) == 0) continue;
      // A section that is not going to pass its wait begins no earlier than it must, and one that
      // need not wait is taken as a whole.
      if (encoder_.value(wait.passed) == 0) postponed_.insert(wait.node);
      if (wait.earlier != no_node && encoder_.value(wait.at_once) != 0)
        postponed_.insert(wait.earlier);
    }
  }

  bool run() {
    const Encoder::Broken broken = encoder_.broken();
    switch (broken.by) {
      case Encoder::BrokenBy::failure:
        return run_until(broken.failure->node) && fail(*broken.failure);
      case Encoder::BrokenBy::race:
        return run_until(broken.first->node, broken.second->node) && race(broken);
      case Encoder::BrokenBy::deadlock:
        return run_until(encoder_.end_node()) && deadlock(broken);
    }
    return false;
  }

  verdict::Unsafe result() && { return {std::move(trace_), std::move(violation_)}; }
  const std::string& why() const { return why_; }
  const Moved& moved() const { return moved_; }

 private:
  // All nodes before the first of these two.
  bool run_until(NodeIndex stop, NodeIndex other = no_node) {
    for (const NodeIndex node : encoder_.order()) {
      if (node == stop || node == other) return true;
      if (node >= owners_.size() || node == first_node || postponed_.contains(node)) continue;
      if (!run_node(node)) return false;
    }
    return true;
  }

  bool happens(const LoggedStep& step) const { return encoder_.value(step.guard) != 0; }

  // The thread's steps up to the last one that belongs to the node.
  bool run_node(NodeIndex node) {
    const ThreadIndex thread = owners_[node];
    const std::vector<LoggedStep>& log = unfolding_.threads[thread].log;
    std::uint32_t end = cursors_[thread];
    for (std::uint32_t i = end; i < log.size(); ++i)
      if (log[i].node == node && happens(log[i])) end = i + 1;
    return run_thread(thread, end);
  }

  bool run_thread(ThreadIndex thread, std::uint32_t end) {
    const std::vector<LoggedStep>& log = unfolding_.threads[thread].log;
    for (; cursors_[thread] < end; ++cursors_[thread]) {
      const LoggedStep& step = log[cursors_[thread]];
      if (happens(step) && !take(thread, step)) return false;
    }
    return true;
  }

  bool take(ThreadIndex thread, const LoggedStep& step) {
    if (!numbers_[thread]) return refuse("a thread runs that was never started");
    const ThreadNumber number = *numbers_[thread];
    if (!machine_.live(state_, number)) return refuse("a thread runs that has ended");
    const auto edges = machine_.edges(state_, number);
    if (std::find(edges.begin(), edges.end(), step.edge) == edges.end())
      return refuse("a thread is elsewhere");
    std::optional<std::uint64_t> input;
    if (machine_.input_needed(state_, number, step.edge))
      input = step.input.valid() ? on_machine(encoder_.value(step.input)) : 0;
    last_ = machine_.step(state_, number, step.edge, input);
    if (last_.outcome != Outcome::moved && last_.outcome != Outcome::process_ended)
      return refuse(fmt::format("the step of thread {} at line {} is not possible{}{}", number,
                                machine_.program().edge(step.edge).source.line,
                                last_.detail.empty() ? "" : ": ", last_.detail));
    trace_.steps.push_back({number, step.edge, input});
    if (step.spawned != 0) numbers_[step.spawned] = machine_.thread_count(state_) - 1;
    note_block(number, step);
    return true;
  }

  void note_block(ThreadNumber thread, const LoggedStep& step) {
    const ir::Program& program = machine_.program();
    const auto* alloc = std::get_if<ir::Alloc>(&program.edge(step.edge).statement);
    if (alloc == nullptr || !machine_.live(state_, thread)) return;
    const Address there = state_.top(thread).registers[program.reg(alloc->to).index];
    moved_[encoder_.value(step.input)] = there;
  }
  std::uint64_t on_machine(std::uint64_t value) const {
    const std::optional<ObjectId> object = objects_.at(value);
    if (!object) return value;
    const auto moved = expected_.find(objects_[*object].base);
    return moved == expected_.end() ? value : moved->second + (value - moved->first);
  }

  bool fail(const Failure& failure) {
    if (!run_thread(failure.thread, failure.step)) return false;
    last_ = {};
    if (!take(failure.thread, unfolding_.threads[failure.thread].log[failure.step])) return false;
    if (!last_.violation || last_.violation->check != failure.check)
      return refuse("the machine sees no violation");
    violation_ = *last_.violation;
    return true;
  }

  bool race(const Encoder::Broken& broken) {
    // Once one of them stands inside a section, nobody else moves.
    const RacyAccess *last = broken.first, *other = broken.second;
    if (other->comes_first) std::swap(last, other);
    for (const RacyAccess* access : {other, last})
      if (!run_thread(access->thread, access->step)) return false;
    const std::optional<verdict::Violation> found = machine_.race(state_);
    if (!found) return refuse("the machine sees no race");
    violation_ = *found;
    return true;
  }

  bool deadlock(const Encoder::Broken& broken) {
    for (const ThreadIndex thread : broken.ended) {
      const auto all = static_cast<std::uint32_t>(unfolding_.threads[thread].log.size());
      if (!run_thread(thread, all)) return false;
    }
    for (const Wait* wait : broken.stuck)
      if (!run_thread(wait->thread, wait->step)) return false;
    const std::optional<verdict::Violation> found = machine_.deadlock(state_);
    if (!found) return refuse("the machine sees no deadlock");
    violation_ = *found;
    return true;
  }

  bool refuse(std::string why) {
    why_ = std::move(why);
    return false;
  }

  const Objects& objects_;
  const Moved& expected_;
  Moved moved_{};
  const Unfolding& unfolding_;
  const Encoder& encoder_;
  const machine::Machine& machine_;
  machine::State state_;
  std::vector<std::uint32_t> cursors_;                // by thread: next step of its log
  std::vector<std::optional<ThreadNumber>> numbers_;  // by thread, once it runs
  std::vector<ThreadIndex> owners_;                   // by node
  std::set<NodeIndex> postponed_{};
  machine::StepResult last_{};
  verdict::Trace trace_{};
  verdict::Violation violation_{};
  std::string why_{};
};

}  // namespace

std::optional<verdict::Unsafe> build_trace(const Round& round, const Encoder& encoder,
                                           const machine::Machine& machine, std::string& why) {
  // A guess may be the address of a block that is allocated only later.
  constexpr int most_attempts = 8;
  Moved moved;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    TraceBuilder builder(round, encoder, machine, moved);
    if (builder.run()) return std::move(builder).result();
    why = builder.why();
    Moved known = moved;
    for (const auto& [from, to] : builder.moved()) known[from] = to;
    const bool news = std::any_of(known.begin(), known.end(), [&](const auto& block) {
      const auto before = moved.find(block.first);
      return block.second != (before == moved.end() ? block.first : before->second);
    });
    if (!news) return std::nullopt;
    moved = std::move(known);
  }
  return std::nullopt;
}

}  // namespace heddle::engine::bmc
