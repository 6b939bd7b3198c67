// heddle_fuzz: compares everything that gives verdicts on random programs.
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "generate/fuzz.hpp"
#include "generate/generator.hpp"

namespace {

using namespace heddle::generate;

constexpr const char* usage =
    R"(usage: heddle_fuzz [options]
  --seed S            seed of the first program, the next has S+1 (default: from the clock)
  --count N           so many programs (default 1000)
  --seconds N         as many programs as N seconds allow
  --checks A,B,...    of reduced, unreduced, subset, unsimplified, printed, value, interval, bdd,
                      product, symbolic, bmc, bmc-clocks, bmc-plain, stateless,
                      stateless-source, stateless-all, invariants, lazy, lazy-printed, lazy-bmc,
                      mu-explicit, mu-implicit, mu-mixed, mu-intra, mu-inter (mu: these five),
                      mu-printed, or none (default: all)
  --unreduced N       the slow checks (unreduced, value, bdd, product, bmc-clocks, bmc-plain,
                      stateless-source, stateless-all, invariants, mu) on every N-th program
                      only (default 5)
  --native N          run every N-th program natively if it is safe; 0: none (default 40)
  --native-runs N     so many times each (default 50)
  --size SIZE         of the programs: full, small, tiny, alike (small, all threads alike), many
                      (tiny, three threads), or mixed (default: every fourth is many, else full)
  --domain-steps N    of a search over a domain for one question (default 20000)
  --sequential-ms N   for one question about a sequentialized program (default 500)
  --oracle-states N   skip programs with more states (default 200000)
  --faults N          stop after N faults (default 10)
  --keep DIR          where to save the programs that fail (default .)
  --print             print the program of the seed and stop
  --file FILE         check this program in this process, and say what was found
Ends with 0 if everything agrees, 1 if not.
)";

[[noreturn]] void refuse(const std::string& message) {
  fmt::print(stderr, "heddle_fuzz: {}\n{}", message, usage);
  std::exit(3);
}

std::uint64_t number(const std::string& text) {
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || text[0] == '-') refuse("not a number: '" + text + "'");
  return value;
}

std::set<Comparison> parse_comparisons(const std::string& text) {
  std::set<Comparison> chosen;
  if (text == "none") return chosen;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(',', start), text.size());
    const std::string name = text.substr(start, end - start);
    bool known = name == "mu";
    if (known) chosen.insert(mu_comparisons.begin(), mu_comparisons.end());
    for (const Comparison comparison : comparisons) {
      if (to_string(comparison) != name) continue;
      chosen.insert(comparison);
      known = true;
    }
    if (!known) refuse("unknown check '" + name + "'");
    start = end + 1;
  }
  return chosen;
}

struct Command {
  FuzzOptions options{};
  bool print_only = false;
  std::string file{};  // empty: generate programs
};

int judge_file(const Command& command) {
  std::ifstream in(command.file);
  if (!in) refuse("cannot read '" + command.file + "'");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const Outcome outcome = check_here(text, command.options.comparisons, command.options.limits);
  fmt::print("{} states{}\n", outcome.states, outcome.over_limit ? ", and more" : "");
  for (std::size_t i = 0; i < questions.size(); ++i) {
    fmt::print("  {:<9} {}\n", to_string(questions[i]), to_string(outcome.answers[i]));
  }
  if (outcome.fault.empty()) return 0;
  fmt::print("{}\n{}\n", outcome.fault, outcome.detail);
  return 1;
}

Command parse(int count, char** arguments) {
  Command command;
  FuzzOptions& options = command.options;
  options.seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch() /
                                            std::chrono::milliseconds(1));
  const std::map<std::string, std::function<void(const std::string&)>> handlers{
      {"--seed", [&](const std::string& value) { options.seed = number(value); }},
      {"--count", [&](const std::string& value) { options.count = number(value); }},
      {"--seconds",
       [&](const std::string& value) { options.seconds = static_cast<unsigned>(number(value)); }},
      {"--checks",
       [&](const std::string& value) { options.comparisons = parse_comparisons(value); }},
      {"--unreduced",
       [&](const std::string& value) {
         options.unreduced_every = std::max<std::uint64_t>(number(value), 1);
       }},
      {"--native", [&](const std::string& value) { options.native_every = number(value); }},
      {"--native-runs",
       [&](const std::string& value) { options.native_runs = static_cast<int>(number(value)); }},
      {"--oracle-states",
       [&](const std::string& value) { options.limits.oracle_states = number(value); }},
      {"--domain-steps",
       [&](const std::string& value) { options.limits.domain_steps = number(value); }},
      {"--sequential-ms",
       [&](const std::string& value) {
         options.limits.sequential_milliseconds = static_cast<unsigned>(number(value));
       }},
      {"--size",
       [&](const std::string& value) {
         const std::map<std::string, Size> sizes{{"full", Size::full}, {"small", Size::small},
                                                 {"tiny", Size::tiny}, {"alike", Size::alike},
                                                 {"many", Size::many}, {"mixed", Size::mixed}};
         if (!sizes.contains(value)) refuse("unknown size '" + value + "'");
         options.size = sizes.at(value);
       }},
      {"--faults", [&](const std::string& value) { options.at_most_faults = number(value); }},
      {"--file", [&](const std::string& value) { command.file = value; }},
      {"--keep", [&](const std::string& value) { options.keep = value; }},
  };
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    if (name == "--print") {
      command.print_only = true;
      continue;
    }
    const auto handler = handlers.find(name);
    if (handler == handlers.end()) refuse("unknown option '" + name + "'");
    if (++i == count) refuse(name + " needs a value");
    handler->second(arguments[i]);
  }
  return command;
}

}  // namespace

int main(int count, char** arguments) {
  if (count == 2 && std::strcmp(arguments[1], "--help") == 0) {
    fmt::print("{}", usage);
    return 0;
  }
  const Command command = parse(count, arguments);
  if (command.print_only) {
    fmt::print("{}", to_c(generate(command.options.seed, command.options.size)));
    return 0;
  }
  try {
    if (!command.file.empty()) return judge_file(command);
    return Fuzz(command.options).run() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "heddle_fuzz: {}\n", error.what());
    return 4;
  }
}
