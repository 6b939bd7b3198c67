// The run over many programs: generate, check, run natively now and then, shrink
// what fails, and count.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "generate/checks.hpp"
#include "generate/generator.hpp"
#include "generate/native.hpp"
#include "generate/program.hpp"

namespace heddle::generate {

struct FuzzOptions {
  std::uint64_t seed = 1;  // of the first program; the next one has seed + 1
  std::uint64_t count = 1000;
  std::optional<unsigned> seconds{};  // instead of the count
  std::set<Comparison> comparisons{comparisons_all()};
  std::uint64_t unreduced_every = 5;  // which programs that comparison, the slowest, gets
  std::uint64_t native_every = 40;    // 0: never
  int native_runs = 50;
  Size size = Size::mixed;
  std::uint64_t at_most_faults = 10;  // stop after so many
  std::filesystem::path keep{"."};    // where failing programs are saved
  Limits limits{};

  static std::set<Comparison> comparisons_all() {
    return {generate::comparisons.begin(), generate::comparisons.end()};
  }
};

struct FuzzCounts {
  std::uint64_t programs = 0;
  std::uint64_t over_limit = 0;
  std::map<Comparison, std::uint64_t> asked{};  // questions to engines that may leave one open
  std::map<Comparison, std::map<std::string, std::uint64_t>> open{};  // of these, by the reason
  std::uint64_t faults = 0;
  std::uint64_t states = 0;
  std::uint64_t native_programs = 0;
  std::uint64_t native_endless = 0;
  std::uint64_t native_runs = 0;
  std::map<std::pair<Question, Answer>, std::uint64_t> answers{};
};

class Fuzz {
 public:
  explicit Fuzz(FuzzOptions options) : options_(std::move(options)) {}

  // True if nothing was found and few enough programs were skipped.
  bool run();

 private:
  void run_one(std::uint64_t seed);
  Outcome judge(std::uint64_t seed, const Program& program) const;
  void compare_natively(std::uint64_t seed, const Program& program);
  void report(std::uint64_t seed, const Program& program, const Outcome& outcome);
  void save(std::uint64_t seed, const Program& smallest, const std::string& fault,
            const std::string& detail);
  void show_progress() const;
  void show_summary() const;
  void show_open_questions() const;
  bool too_many_skipped() const { return counts_.over_limit * 20 > counts_.programs; }

  FuzzOptions options_;
  FuzzCounts counts_{};
  std::unique_ptr<Native> native_{};
};

}  // namespace heddle::generate
