// Runs the bounded model checker on a small program, given as C.
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {

using engine::bmc::Encoding;
using engine::bmc::Switch;

struct Unrolled {
  ir::Program program{};
  verdict::Verdict verdict{};
  engine::bmc::Statistics statistics{};
  std::string replayed{};  // why an Unsafe does not replay; else empty

  // "safe", "unsafe" or "unknown"; says so if there was a trace that does not replay.
  std::string answer() const {
    if (std::holds_alternative<verdict::Safe>(verdict)) return "safe";
    if (std::holds_alternative<verdict::Unknown>(verdict)) return "unknown";
    return replayed.empty() ? "unsafe" : "unsafe, but: " + replayed;
  }
  const verdict::Unknown& gap() const { return std::get<verdict::Unknown>(verdict); }
  const verdict::Violation& violation() const {
    return std::get<verdict::Unsafe>(verdict).violation;
  }
};

inline Unrolled unrolled(const std::string& text, const std::set<verdict::Check>& checks,
                         engine::bmc::Options options = {},
                         base::Budget budget = base::Budget(std::chrono::seconds(60), 4ULL << 30)) {
  const verdict::Property property{checks};
  Unrolled result;
  result.program = portfolio::prepare(frontend::parse_text("test.c", prelude + text), property);
  engine::bmc::Bmc bmc(std::move(options));
  Silent silent;
  result.verdict = bmc.run(result.program, property, budget, silent);
  result.statistics = bmc.statistics();
  if (const auto* unsafe = std::get_if<verdict::Unsafe>(&result.verdict)) {
    const auto replay = check::replay(result.program, property, unsafe->trace, unsafe->violation);
    if (!replay.confirmed) result.replayed = replay.reason;
  }
  return result;
}

// What both encodings say; both answers if they differ.
inline std::string both(const std::string& text, const std::set<verdict::Check>& checks,
                        engine::bmc::Options options = {}) {
  options.encoding = Encoding::theory;
  const std::string theory = unrolled(text, checks, options).answer();
  options.encoding = Encoding::clocks;
  const std::string clocks = unrolled(text, checks, options).answer();
  return theory == clocks ? theory : "theory: " + theory + ", clocks: " + clocks;
}

// The line of `part` in a test program, as verdicts name it.
inline std::uint32_t line_of(const std::string& text, const std::string& part) {
  const std::string whole = prelude + text;
  const auto end = whole.begin() + static_cast<std::ptrdiff_t>(whole.find(part));
  return 1 + static_cast<std::uint32_t>(std::count(whole.begin(), end, '\n'));
}

// A main that starts the threads `first` and `second`, waits for both, and then runs `rest`.
inline std::string two_threads(const std::string& rest) {
  return R"(
int main(void) {
  pthread_t thread_1, thread_2;
  pthread_create(&thread_1, 0, first, 0);
  pthread_create(&thread_2, 0, second, 0);
  pthread_join(thread_1, 0);
  pthread_join(thread_2, 0);
)" + rest +
         "\n  return 0;\n}\n";
}

}  // namespace heddle::testing
