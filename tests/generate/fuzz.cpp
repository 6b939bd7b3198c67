// The run over many programs.
#include "generate/fuzz.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <utility>
#include <vector>

#include "generate/shrink.hpp"

namespace heddle::generate {
namespace {

// The variants of memory unwinding are not slow, but many.
constexpr std::array slow_comparisons{
    Comparison::unreduced,        Comparison::value,         Comparison::bdd,
    Comparison::product,          Comparison::bmc_clocks,    Comparison::bmc_plain,
    Comparison::stateless_source, Comparison::stateless_all, Comparison::invariants,
    Comparison::mu_explicit,      Comparison::mu_implicit,   Comparison::mu_mixed,
    Comparison::mu_intra,         Comparison::mu_inter};

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

bool Fuzz::run() {
  const auto start = std::chrono::steady_clock::now();
  for (std::uint64_t index = 0; counts_.faults < options_.at_most_faults; ++index) {
    const auto spent = std::chrono::steady_clock::now() - start;
    if (options_.seconds ? spent >= std::chrono::seconds(*options_.seconds)
                         : index >= options_.count) {
      break;
    }
    run_one(options_.seed + index);
    show_progress();
  }
  show_summary();
  return counts_.faults == 0 && !too_many_skipped();
}

void Fuzz::run_one(std::uint64_t seed) {
  const Program program = generate(seed, options_.size);
  const Outcome outcome = judge(seed, program);
  ++counts_.programs;
  counts_.states += outcome.states;
  for (const auto& [comparison, count] : outcome.asked) counts_.asked[comparison] += count;
  for (const OpenQuestion& question : outcome.open)
    ++counts_.open[question.comparison][question.why];
  if (!outcome.fault.empty()) {
    report(seed, program, outcome);
    return;
  }
  if (outcome.over_limit) {
    ++counts_.over_limit;
    return;
  }
  for (std::size_t i = 0; i < questions.size(); ++i) {
    ++counts_.answers[{questions[i], outcome.answers[i]}];
  }
  const bool sampled = options_.native_every != 0 && seed % options_.native_every == 0;
  if (sampled && outcome.safe() && program.native_exact) compare_natively(seed, program);
}

Outcome Fuzz::judge(std::uint64_t seed, const Program& program) const {
  std::set<Comparison> wanted = options_.comparisons;
  if (seed % options_.unreduced_every != 0) {
    for (const Comparison slow : slow_comparisons) wanted.erase(slow);
  }
  Limits limits = options_.limits;
  limits.seed = seed;
  return check(to_c(program), wanted, limits);
}

void Fuzz::compare_natively(std::uint64_t seed, const Program& program) {
  if (!native_) native_ = std::make_unique<Native>();
  const NativeRuns runs = native_->run(to_c(program), options_.native_runs);
  ++counts_.native_programs;
  counts_.native_endless += static_cast<std::uint64_t>(runs.endless);
  counts_.native_runs += static_cast<std::uint64_t>(runs.finished + runs.failed);
  if (runs.failed == 0) return;
  const StillFails still_fails = [&](const Program& candidate) {
    const Outcome outcome = check(to_c(candidate), {}, options_.limits);
    return outcome.fault.empty() && !outcome.over_limit && outcome.safe() &&
           native_->run(to_c(candidate), options_.native_runs).failed > 0;
  };
  save(seed, shrink(program, still_fails, 200), "a native run fails in a safe program",
       fmt::format("{} of {} runs", runs.failed, runs.failed + runs.finished));
}

void Fuzz::report(std::uint64_t seed, const Program& program, const Outcome& outcome) {
  fmt::print(stderr, "\nseed {}: {}\n  {}\nshrinking ...\n", seed, outcome.fault, outcome.detail);
  const StillFails still_fails = [&](const Program& candidate) {
    return judge(seed, candidate).fault == outcome.fault;
  };
  const Program smallest = shrink(program, still_fails, 600);
  const Outcome last = judge(seed, smallest);
  save(seed, smallest, outcome.fault, last.detail);
}

void Fuzz::save(std::uint64_t seed, const Program& smallest, const std::string& fault,
                const std::string& detail) {
  ++counts_.faults;
  std::filesystem::create_directories(options_.keep);
  const std::filesystem::path path = options_.keep / fmt::format("fuzz_{}.c", seed);
  std::string comment = fault + "\n" + detail;
  for (std::size_t at = 0; (at = comment.find('\n', at)) != std::string::npos; at += 4) {
    comment.replace(at, 1, "\n// ");
  }
  const std::string text = fmt::format("// seed {}, shrunk: {}\n{}", seed, comment, to_c(smallest));
  std::ofstream(path) << text;
  fmt::print("\n{}saved as {}\n", text, path.string());
  std::fflush(stdout);
}

void Fuzz::show_progress() const {
  if (isatty(2) == 0) return;
  fmt::print(stderr, "\r{} programs, {} states, {} faults ", counts_.programs, counts_.states,
             counts_.faults);
  std::fflush(stderr);
}

void Fuzz::show_summary() const {
  if (isatty(2) != 0) fmt::print(stderr, "\n");
  fmt::print("{} programs from seed {}, {} oracle states, {} faults\n", counts_.programs,
             options_.seed, counts_.states, counts_.faults);
  for (const Question question : questions) {
    const auto count = [&](Answer answer) {
      const auto found = counts_.answers.find({question, answer});
      return found == counts_.answers.end() ? 0 : found->second;
    };
    const std::uint64_t all = count(Answer::safe) + count(Answer::unsafe) + count(Answer::unknown);
    fmt::print("  {:<9} safe {:.1f} %, unsafe {:.1f} %, unknown {:.1f} %\n", to_string(question),
               percent(count(Answer::safe), all), percent(count(Answer::unsafe), all),
               percent(count(Answer::unknown), all));
  }
  show_open_questions();
  fmt::print("  skipped   {} ({:.1f} %) because the oracle met more than {} states{}\n",
             counts_.over_limit, percent(counts_.over_limit, counts_.programs),
             options_.limits.oracle_states, too_many_skipped() ? ": too many" : "");
  fmt::print("  natively  {} safe programs, {} runs, {} programs stopped after 2 s\n",
             counts_.native_programs, counts_.native_runs, counts_.native_endless);
}

// Of each engine that need not answer, how often it did, and why not.
void Fuzz::show_open_questions() const {
  for (const auto& [comparison, asked] : counts_.asked) {
    const auto found = counts_.open.find(comparison);
    std::uint64_t open = 0;
    std::vector<std::pair<std::uint64_t, std::string>> reasons;
    if (found != counts_.open.end()) {
      for (const auto& [why, count] : found->second) {
        open += count;
        reasons.emplace_back(count, why);
      }
    }
    std::ranges::sort(reasons, std::greater());
    fmt::print("  {:<9} {} of {} questions decided ({:.1f} %)\n", to_string(comparison),
               asked - open, asked, percent(asked - open, asked));
    constexpr std::size_t most_reasons = 5;
    for (std::size_t i = 0; i < std::min(reasons.size(), most_reasons); ++i)
      fmt::print("            {} open: {}\n", reasons[i].first, reasons[i].second);
  }
}

}  // namespace heddle::generate
