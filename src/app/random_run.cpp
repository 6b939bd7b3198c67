// `heddle run`: one random schedule, printed step by step as it goes.
#include <fmt/format.h>

#include <random>
#include <vector>

#include "app/commands.hpp"
#include "frontend/frontend.hpp"
#include "ir/print.hpp"
#include "machine/machine.hpp"
#include "portfolio/portfolio.hpp"
#include "report/text.hpp"

namespace heddle::app {
namespace {

class RandomRun {
 public:
  RandomRun(const ir::Program& program, const RunCommand& command)
      : program_(program),
        command_(command),
        machine_(program, command.property),
        state_(machine_.initial()),
        random_(command.seed) {}

  ExitCode run() {
    for (std::uint64_t step = 0; step < command_.most_steps; ++step) {
      if (machine_.ended(state_)) return end(safe, "the program ends");
      if (auto race = wanted(verdict::Check::race) ? machine_.race(state_) : std::nullopt)
        return fail(*race);
      if (auto stuck = wanted(verdict::Check::deadlock) ? machine_.deadlock(state_) : std::nullopt)
        return fail(*stuck);
      const std::vector<verdict::ThreadNumber> able = able_threads();
      if (able.empty()) return end(unknown, "no thread can go on");
      const verdict::ThreadNumber thread = able[pick(able.size())];
      const machine::StepResult result = step_of(thread);
      if (result.violation) return fail(*result.violation);
      switch (result.outcome) {
        case machine::Outcome::moved:
        case machine::Outcome::blocked:
        case machine::Outcome::needs_input:
          break;
        case machine::Outcome::process_ended:
          return end(safe, "the process ends");
        case machine::Outcome::pruned:
          return end(unknown, "an assumption does not hold: this execution does not count");
        case machine::Outcome::cut:
          return end(unknown, result.detail);
      }
    }
    return end(unknown, fmt::format("stopped after {} steps (--steps)", command_.most_steps));
  }

 private:
  bool wanted(verdict::Check check) const { return command_.property.has(check); }
  std::uint64_t pick(std::uint64_t count) { return random_() % count; }

  std::vector<verdict::ThreadNumber> able_threads() const {
    std::vector<verdict::ThreadNumber> able;
    for (verdict::ThreadNumber thread = 0; thread < machine_.thread_count(state_); ++thread)
      if (machine_.enabled(state_, thread)) able.push_back(thread);
    return able;
  }

  // Small numbers half of the time, since programs are made for them.
  std::uint64_t input_for(const machine::InputRequest& request) {
    if (request.limit != 0) return pick(request.limit);
    const ir::Type& type = program_.type(request.type);
    const std::uint64_t value = pick(2) == 0 ? pick(4) : random_();
    return type.width >= 64 ? value : value & ((std::uint64_t{1} << type.width) - 1);
  }

  machine::StepResult step_of(verdict::ThreadNumber thread) {
    machine::StepResult result{.outcome = machine::Outcome::pruned};
    for (const ir::EdgeId edge : machine_.edges(state_, thread)) {
      std::optional<std::uint64_t> input;
      if (const auto request = machine_.input_needed(state_, thread, edge))
        input = input_for(*request);
      result = machine_.step(state_, thread, edge, input);
      if (result.outcome == machine::Outcome::pruned) continue;
      show(thread, edge, input);
      break;
    }
    return result;
  }

  void show(verdict::ThreadNumber thread, ir::EdgeId edge,
            std::optional<std::uint64_t> input) const {
    if (program_.function(program_.function_of(edge)).origin == ir::Origin::model) return;
    const ir::Edge& taken = program_.edge(edge);
    fmt::print("T{:<3} {:24} {}{}\n", thread, ir::place_to_text(program_, taken.source),
               ir::statement_to_text(program_, taken.statement),
               input ? fmt::format("   (input {})", *input) : "");
  }

  ExitCode fail(const verdict::Violation& found) const {
    const std::string_view name = verdict::to_string(found.check);
    const std::string text = found.text.empty() ? std::string(name) : found.text;
    fmt::print("{}: {} [T{}, seed {}]\n", name, text, found.thread, command_.seed);
    return violation;
  }
  static ExitCode end(ExitCode code, const std::string& why) {
    fmt::print("{}\n", why);
    return code;
  }

  const ir::Program& program_;
  const RunCommand& command_;
  machine::Machine machine_;
  machine::State state_;
  std::mt19937_64 random_;
};

}  // namespace

ExitCode run_random(const RunCommand& command) {
  const ir::Program program = portfolio::prepare(frontend::parse(command.input), command.property);
  return RandomRun(program, command).run();
}

}  // namespace heddle::app
