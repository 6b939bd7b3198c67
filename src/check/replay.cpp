#include "check/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "check/observe.hpp"
#include "ir/arithmetic.hpp"
#include "machine/machine.hpp"

namespace heddle::check {
namespace {

using machine::Machine;
using machine::Outcome;
using machine::State;
using machine::StepResult;
using verdict::Check;

bool memory_error(const StepResult& result) {
  return result.violation &&
         (result.violation->check == Check::deref || result.violation->check == Check::free);
}

class Replay {
 public:
  Replay(const ir::Program& program, const verdict::Property& property,
         const verdict::Violation& claim)
      : program_(program),
        property_(property),
        claim_(claim),
        machine_(program, property),
        state_(machine_.initial()) {
    result_.trace.violation = claim;
    result_.trace.routines.push_back(program.main().valid()
                                         ? program.function(program.main()).name
                                         : program.function(program.entry()).name);
    named_.push_back(true);
  }

  ReplayResult run(const verdict::Trace& trace) {
    std::optional<std::string> objection;
    if (!property_.has(claim_.check)) objection = "the property does not ask about this";
    for (std::size_t i = 0; i < trace.steps.size() && !objection; ++i) {
      if (over_) objection = "the execution ends before this step";
      if (!objection) objection = take(trace.steps[i]);
      if (objection) objection = fmt::format("step {}: {}", i + 1, *objection);
    }
    if (!objection) objection = judge(!trace.steps.empty());
    result_.confirmed = !objection;
    result_.reason = objection.value_or("");
    return std::move(result_);
  }

 private:
  using Objection = std::optional<std::string>;

  Objection take(const verdict::Step& step) {
    if (step.thread >= machine_.thread_count(state_)) return "there is no such thread";
    const std::span<const ir::EdgeId> edges = machine_.edges(state_, step.thread);
    if (std::find(edges.begin(), edges.end(), step.edge) == edges.end())
      return "the thread is not at this edge";
    if (!machine_.enabled(state_, step.thread)) return "the thread cannot move";
    if (Objection objection = judge_input(step)) return objection;
    StepObserver observer(machine_, state_, step);
    const verdict::ThreadNumber threads = machine_.thread_count(state_);
    last_ = machine_.step(state_, step.thread, step.edge, step.input);
    if (last_.outcome == Outcome::pruned) return "the assumption does not hold";
    if (last_.outcome == Outcome::cut) return "the step cannot be taken: " + last_.detail;
    if (last_.outcome != Outcome::moved && last_.outcome != Outcome::process_ended)
      return "the step cannot be taken";
    over_ = last_.outcome == Outcome::process_ended || memory_error(last_);
    record(std::move(observer), threads, step);
    return std::nullopt;
  }

  Objection judge_input(const verdict::Step& step) const {
    const auto request = machine_.input_needed(state_, step.thread, step.edge);
    if (request.has_value() != step.input.has_value())
      return request ? "the step needs an input" : "the step takes no input";
    if (!request) return std::nullopt;
    const ir::Type& type = program_.type(request->type);
    if (*step.input != ir::truncate(type, *step.input)) return "the input is not of its type";
    if (request->limit != 0 && *step.input >= request->limit) return "the input is out of range";
    return std::nullopt;
  }

  void record(StepObserver observer, verdict::ThreadNumber threads, const verdict::Step& step) {
    if (over_) {  // the place cannot be read again: the step failed or ended the process
      result_.trace.steps.push_back(
          {.thread = step.thread, .edge = step.edge, .input = step.input});
      return;
    }
    result_.trace.steps.push_back(std::move(observer).finish(state_));
    if (machine_.thread_count(state_) > threads) name(state_.thread_count() - 1);
    if (std::holds_alternative<ir::Call>(program_.edge(step.edge).statement)) name(step.thread);
  }

  // A thread goes by the first function of the user that it runs.
  void name(verdict::ThreadNumber thread) {
    std::vector<std::string>& routines = result_.trace.routines;
    const ir::Function& function = program_.function(state_.top(thread).function);
    if (thread >= routines.size()) {
      routines.push_back(function.name);
      named_.push_back(false);
    }
    if (named_[thread] || function.origin != ir::Origin::user) return;
    routines[thread] = function.name;
    named_[thread] = true;
  }

  Objection judge(bool stepped) {
    switch (claim_.check) {
      case Check::race:
        return judge_race();
      case Check::deadlock:
        return judge_deadlock();
      case Check::error_call:
      case Check::assertion:
      case Check::overflow:
      case Check::deref:
      case Check::free:
      case Check::leak:
        break;
    }
    const std::optional<verdict::Violation>& seen = last_.violation;
    if (!stepped || !seen) return "nothing is wrong at the end of the trace";
    if (seen->check != claim_.check || seen->thread != claim_.thread || seen->edge != claim_.edge)
      return "something else is wrong at the end of the trace: " + seen->text;
    return std::nullopt;
  }

  Objection judge_race() {
    if (over_) return "the execution is over";
    if (!claim_.other_thread || *claim_.other_thread == claim_.thread ||
        std::max(claim_.thread, *claim_.other_thread) >= machine_.thread_count(state_))
      return "a race has two threads";
    const auto one = machine_.racing_access(state_, claim_.thread);
    const auto other = machine_.racing_access(state_, *claim_.other_thread);
    if (!one || !other || one->edge != claim_.edge || other->edge != claim_.other_edge)
      return "the threads are not about to make these accesses";
    if (!machine::conflicting(*one, *other)) return "the accesses do not race";
    result_.trace.object =
        machine_.memory().describe(state_, std::max(one->address, other->address));
    return std::nullopt;
  }

  Objection judge_deadlock() {
    if (over_) return "the execution is over";
    const auto seen = machine_.deadlock(state_);
    if (!seen) return "no thread is stuck for good";
    if (claim_.stuck.empty()) return "a deadlock has stuck threads";
    for (const verdict::ThreadNumber thread : claim_.stuck)
      if (std::find(seen->stuck.begin(), seen->stuck.end(), thread) == seen->stuck.end())
        return fmt::format("thread {} is not stuck for good", thread);
    for (const verdict::ThreadNumber thread : claim_.stuck) {
      const auto wait = machine_.wait(state_, thread);
      result_.trace.waiting.push_back(
          {.thread = thread,
           .edge = wait->edge,
           .object = machine_.memory().describe(state_, wait->address),
           .holder = wait->holder,
           .holder_ended = wait->holder && !machine_.live(state_, *wait->holder)});
    }
    return std::nullopt;
  }

  const ir::Program& program_;
  const verdict::Property& property_;
  const verdict::Violation& claim_;
  Machine machine_;
  State state_;
  StepResult last_{};
  bool over_ = false;
  std::vector<bool> named_{};  // by thread: whether a function of the user was seen
  ReplayResult result_{};
};

}  // namespace

ReplayResult replay(const ir::Program& program, const verdict::Property& property,
                    const verdict::Trace& trace, const verdict::Violation& violation) {
  return Replay(program, property, violation).run(trace);
}

}  // namespace heddle::check
