#include "generate/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/replay.hpp"
#include "generate/waiting.hpp"
#include "machine/oracle.hpp"
#include "portfolio/stuck.hpp"

namespace heddle::generate {
namespace {

using verdict::Check;

std::set<Check> checks_of(Question question) {
  switch (question) {
    case Question::error:
      return {Check::error_call, Check::assertion};
    case Question::race:
      return {Check::race};
    case Question::deadlock:
      return {Check::deadlock};
  }
  return {};
}

class Silent : public engine::Listener {
  void progress(const verdict::Progress&) override {}
};

Answer answer(const verdict::Verdict& found) {
  if (std::holds_alternative<verdict::Safe>(found)) return Answer::safe;
  return std::holds_alternative<verdict::Unsafe>(found) ? Answer::unsafe : Answer::unknown;
}

std::string describe(const verdict::Verdict& found) {
  if (const auto* unsafe = std::get_if<verdict::Unsafe>(&found)) return unsafe->violation.text;
  if (const auto* unknown = std::get_if<verdict::Unknown>(&found)) return unknown->detail;
  return {};
}

}  // namespace

verdict::Property property_of(Question question) { return {checks_of(question)}; }

base::Budget budget_of(std::chrono::milliseconds time) { return {time, std::uint64_t{4} << 30}; }

bool Judge::wants(Comparison comparison) {
  if (!wanted_.contains(comparison)) return false;
  comparison_ = comparison;
  return true;
}

void Judge::reject(const std::string& what, const std::string& detail) const {
  throw Fault{stage_ + ": " + what, detail};
}

void Judge::ask_oracle(const std::string& text, const ir::Program& simplified) {
  begin("oracle");
  verdict::Property property;
  for (const Question question : questions) property.checks.merge(checks_of(question));
  machine::OracleOptions options;
  options.most_states = limits_.oracle_states;
  const machine::OracleAnswer found = machine::ask_oracle(simplified, property, options);
  for (const auto& [check, unsafe] : found.violated) expect_replay(simplified, property, unsafe);
  outcome_.states = found.states;
  outcome_.over_limit = found.states >= limits_.oracle_states;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const std::set<Check> checks = checks_of(questions[i]);
    const bool violated =
        std::ranges::any_of(checks, [&](Check check) { return found.violated.contains(check); });
    outcome_.answers[i] = violated         ? Answer::unsafe
                          : found.complete ? Answer::safe
                                           : Answer::unknown;
  }
  look_for_endless_waits(text, simplified);
}

// Only beside a loop that waits for others can a thread wait for ever without a state that shows
// it. The generator writes such loops with an empty body.
void Judge::look_for_endless_waits(const std::string& text, const ir::Program& program) {
  Answer& deadlock = outcome_.answers[static_cast<std::size_t>(Question::deadlock)];
  const bool spins = text.find(") ;\n") != std::string::npos;
  if (!spins || deadlock != Answer::safe || outcome_.over_limit) return;
  begin("endless waits");
  switch (generate::look_for_endless_waits(program, limits_.oracle_states)) {
    case Waiting::none:
      return;
    case Waiting::endless:
      deadlock = Answer::unsafe;
      return;
    case Waiting::undecided:
      reject("undecided", "although the oracle has seen every state");
  }
}

void Judge::expect_replay(const ir::Program& program, const verdict::Property& property,
                          const verdict::Unsafe& unsafe) const {
  check::ReplayResult result = check::replay(program, property, unsafe.trace, unsafe.violation);
  if (result.confirmed) return;
  // That a thread never goes on is said about all that follows the trace, not about its end.
  const bool is_wait = unsafe.violation.check == Check::deadlock &&
                       result.trace.steps.size() == unsafe.trace.steps.size();
  if (is_wait && portfolio::never_move_again(program, property, unsafe, result.trace) ==
                     portfolio::Stuck::confirmed) {
    return;
  }
  reject(fmt::format("{} does not replay", verdict::to_string(unsafe.violation.check)),
         result.reason + ": " + unsafe.violation.text);
}

void Judge::compare(engine::Engine& engine, Question question, const ir::Program& program,
                    const base::Budget& budget, Unanswered unanswered) {
  Silent silent;
  const verdict::Property property = property_of(question);
  const verdict::Verdict found = engine.run(program, property, budget, silent);
  if (unanswered == Unanswered::counted) count(found);
  const Answer said = answer(found);
  const bool open = said == Answer::unknown && unanswered == Unanswered::counted;
  if (said != expected(question) && !open)
    reject(fmt::format("{} is {} instead of {}", to_string(question), to_string(said),
                       to_string(expected(question))),
           describe(found));
  if (const auto* unsafe = std::get_if<verdict::Unsafe>(&found))
    expect_replay(program, property, *unsafe);
}

void Judge::consult(engine::Engine& engine, std::chrono::milliseconds time,
                    const ir::Program& program) {
  for (const Question question : questions)
    compare(engine, question, program, budget_of(time), Unanswered::counted);
}

Answer Judge::opinion(engine::Engine& engine, std::chrono::milliseconds time,
                      const ir::Program& program) {
  Silent silent;
  const verdict::Verdict found =
      engine.run(program, property_of(Question::error), budget_of(time), silent);
  count(found);
  return answer(found);
}

void Judge::count(const verdict::Verdict& found) {
  if (answer(found) == Answer::unknown) return leave_open(describe(found));
  ++outcome_.asked[comparison_];
}

void Judge::leave_open(const std::string& why) {
  ++outcome_.asked[comparison_];
  outcome_.open.push_back({comparison_, why});
}

}  // namespace heddle::generate
