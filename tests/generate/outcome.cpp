// The names of questions, answers and comparisons, and an outcome as text.
#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "generate/checks.hpp"

namespace heddle::generate {

std::string to_string(Answer answer) {
  switch (answer) {
    case Answer::safe:
      return "safe";
    case Answer::unsafe:
      return "unsafe";
    case Answer::unknown:
      return "unknown";
  }
  return {};
}

std::string to_string(Question question) {
  switch (question) {
    case Question::error:
      return "error";
    case Question::race:
      return "race";
    case Question::deadlock:
      return "deadlock";
  }
  return {};
}

std::string to_string(Comparison comparison) {
  switch (comparison) {
    case Comparison::reduced:
      return "reduced";
    case Comparison::unreduced:
      return "unreduced";
    case Comparison::subset:
      return "subset";
    case Comparison::printed:
      return "printed";
    case Comparison::unsimplified:
      return "unsimplified";
    case Comparison::value:
      return "value";
    case Comparison::interval:
      return "interval";
    case Comparison::bdd:
      return "bdd";
    case Comparison::product:
      return "product";
    case Comparison::symbolic:
      return "symbolic";
    case Comparison::bmc:
      return "bmc";
    case Comparison::bmc_clocks:
      return "bmc-clocks";
    case Comparison::bmc_plain:
      return "bmc-plain";
    case Comparison::stateless:
      return "stateless";
    case Comparison::stateless_source:
      return "stateless-source";
    case Comparison::stateless_all:
      return "stateless-all";
    case Comparison::invariants:
      return "invariants";
    case Comparison::lazy:
      return "lazy";
    case Comparison::lazy_printed:
      return "lazy-printed";
    case Comparison::lazy_bmc:
      return "lazy-bmc";
    case Comparison::mu_explicit:
      return "mu-explicit";
    case Comparison::mu_implicit:
      return "mu-implicit";
    case Comparison::mu_mixed:
      return "mu-mixed";
    case Comparison::mu_intra:
      return "mu-intra";
    case Comparison::mu_inter:
      return "mu-inter";
    case Comparison::mu_printed:
      return "mu-printed";
  }
  return {};
}

bool Outcome::safe() const {
  return std::ranges::all_of(answers, [](Answer answer) { return answer == Answer::safe; });
}

std::string pack(const Outcome& outcome) {
  std::string text = fmt::format("{} {}", outcome.over_limit ? 1 : 0, outcome.states);
  for (const Answer answer : outcome.answers) text += fmt::format(" {}", static_cast<int>(answer));
  text += fmt::format(" {}", outcome.asked.size());
  for (const auto& [comparison, count] : outcome.asked)
    text += fmt::format(" {} {}", static_cast<int>(comparison), count);
  text += fmt::format(" {}\n", outcome.open.size());
  for (const OpenQuestion& question : outcome.open)
    text += fmt::format("{} {}\n", static_cast<int>(question.comparison),
                        question.why.substr(0, question.why.find('\n')));
  return text + outcome.fault + "\n" + outcome.detail;
}

Outcome unpack(const std::string& text) {
  Outcome outcome;
  std::istringstream in(text);
  const auto number = [&] {
    std::uint64_t value = 0;
    in >> value;
    return value;
  };
  outcome.over_limit = number() != 0;
  outcome.states = number();
  for (Answer& answer : outcome.answers) answer = static_cast<Answer>(number());
  for (std::uint64_t left = number(); left > 0; --left) {
    const auto comparison = static_cast<Comparison>(number());
    outcome.asked[comparison] = static_cast<unsigned>(number());
  }
  for (std::uint64_t left = number(); left > 0; --left) {
    OpenQuestion& question = outcome.open.emplace_back();
    question.comparison = static_cast<Comparison>(number());
    in.get();
    std::getline(in, question.why);
  }
  if (outcome.open.empty()) in.get();
  std::getline(in, outcome.fault);
  std::getline(in, outcome.detail, '\0');
  return outcome;
}

}  // namespace heddle::generate
