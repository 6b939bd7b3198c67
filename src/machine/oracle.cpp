#include "machine/oracle.hpp"

#include <algorithm>
#include <deque>
#include <optional>

#include "ir/arithmetic.hpp"
#include "machine/machine.hpp"
#include "machine/state_set.hpp"

namespace heddle::machine {
namespace {

using verdict::Check;

class Search {
 public:
  Search(const ir::Program& program, const verdict::Property& property,
         const OracleOptions& options)
      : program_(program), property_(property), options_(options), machine_(program, property) {}

  // Breadth first, so that the traces are shortest.
  OracleAnswer run() {
    add(machine_.initial(), none, {});
    while (!waiting_.empty() && !done()) {
      const State state = std::move(waiting_.front());
      waiting_.pop_front();
      expand(state, next_++);
    }
    answer_.complete = answer_.complete && waiting_.empty();
    answer_.states = visited_.size();
    return std::move(answer_);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  struct Arrival {
    std::uint32_t from = none;  // number of the state before
    verdict::Step by{};
  };

  bool done() const {
    return visited_.size() >= options_.most_states ||
           (options_.goal == OracleGoal::first_violation && !answer_.violated.empty());
  }

  void add(State state, std::uint32_t from, verdict::Step by) {
    if (!visited_.insert(state).fresh) return;
    arrivals_.push_back({from, by});
    waiting_.push_back(std::move(state));
  }

  void report(const verdict::Violation& violation, std::uint32_t at,
              std::optional<verdict::Step> last) {
    if (answer_.violated.contains(violation.check)) return;
    verdict::Trace trace;
    if (last) trace.steps.push_back(*last);
    for (; arrivals_[at].from != none; at = arrivals_[at].from)
      trace.steps.push_back(arrivals_[at].by);
    std::reverse(trace.steps.begin(), trace.steps.end());
    answer_.violated.emplace(violation.check, verdict::Unsafe{std::move(trace), violation});
  }

  void expand(const State& state, std::uint32_t number) {
    if (property_.has(Check::race))
      if (const auto race = machine_.race(state)) report(*race, number, std::nullopt);
    if (property_.has(Check::deadlock))
      if (const auto deadlock = machine_.deadlock(state)) report(*deadlock, number, std::nullopt);
    for (ThreadNumber t = 0; t < machine_.thread_count(state); ++t) {
      if (!machine_.enabled(state, t)) continue;
      for (const ir::EdgeId edge : machine_.edges(state, t)) {
        if (const auto request = machine_.input_needed(state, t, edge))
          for (const std::uint64_t input : values(*request)) take(state, number, {t, edge, input});
        else
          take(state, number, {t, edge, std::nullopt});
      }
    }
  }

  void take(const State& before, std::uint32_t number, const verdict::Step& step) {
    State state = before;
    const StepResult result = machine_.step(state, step.thread, step.edge, step.input);
    if (result.outcome == Outcome::cut) answer_.complete = false;
    if (result.violation) report(*result.violation, number, step);
    if (result.outcome != Outcome::moved) return;
    ++answer_.steps;
    const bool memory_error = result.violation && (result.violation->check == Check::deref ||
                                                   result.violation->check == Check::free);
    if (!memory_error) add(std::move(state), number, step);
  }

  std::vector<std::uint64_t> values(const InputRequest& request) {
    const ir::Type& type = program_.type(request.type);
    // A limit comes from a choice of the models, which keep it small: all values are tried.
    constexpr std::uint64_t few = 64;
    const std::uint64_t count = request.limit != 0 ? request.limit
                                : type.width <= 2  ? std::uint64_t{1} << type.width
                                                   : few + 1;
    std::vector<std::uint64_t> result;
    if (count <= few) {
      for (std::uint64_t value = 0; value < count; ++value) result.push_back(value);
      return result;
    }
    answer_.complete = false;
    for (const std::uint64_t candidate : options_.candidates) {
      const std::uint64_t value = ir::truncate(type, candidate);
      if (request.limit != 0 && value >= request.limit) continue;
      if (std::find(result.begin(), result.end(), value) == result.end()) result.push_back(value);
    }
    return result;
  }

  const ir::Program& program_;
  const verdict::Property& property_;
  const OracleOptions& options_;
  Machine machine_;
  StateSet visited_{};
  std::vector<Arrival> arrivals_{};  // by state number
  std::deque<State> waiting_{};      // states numbered from next_ on
  std::uint32_t next_ = 0;
  OracleAnswer answer_{};
};

}  // namespace

OracleAnswer ask_oracle(const ir::Program& program, const verdict::Property& property,
                        const OracleOptions& options) {
  return Search(program, property, options).run();
}

}  // namespace heddle::machine
