// How many executions the stateless search runs on the classic families of partial-
// order reduction, how fast, and whether the number is the least possible.
#include <fmt/format.h>

#include <ctime>
#include <string>
#include <string_view>
#include <variant>

#include "bench/families.hpp"
#include "engine/explore/explore.hpp"
#include "frontend/frontend.hpp"
#include "portfolio/portfolio.hpp"

namespace {

using namespace heddle;
using engine::explore::DporMode;

struct Silent : engine::Listener {
  void progress(const verdict::Progress&) override {}
};

struct Measured {
  engine::explore::Statistics statistics{};
  double seconds = 0;
  bool safe = false;
};

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Measured measure(const std::string& text, engine::explore::Options options,
                 std::chrono::seconds limit) {
  const verdict::Property property{{verdict::Check::assertion, verdict::Check::error_call}};
  const ir::Program program = portfolio::prepare(frontend::parse_text("family.c", text), property);
  engine::explore::Explore explore(options);
  Silent silent;
  const double start = cpu_seconds();
  const verdict::Verdict verdict =
      explore.run(program, property, base::Budget(limit, std::uint64_t{4} << 30), silent);
  return {explore.statistics(), cpu_seconds() - start,
          std::holds_alternative<verdict::Safe>(verdict)};
}

// False if the answer or the number of executions is wrong.
bool show(const bench::Family& family, const bench::Family::Size& size,
          std::chrono::seconds limit) {
  using engine::explore::SearchMode;
  const std::string text = family.program(size.number);
  const Measured optimal = measure(text, {.search = SearchMode::stateless}, limit);
  const Measured source =
      measure(text, {.search = SearchMode::stateless, .dpor = DporMode::source}, limit);
  const engine::explore::Statistics& counted = optimal.statistics;
  const bool right =
      optimal.safe && counted.executions == size.traces && counted.blocked_executions == 0;
  fmt::print("{:<13} {:>3} {:>8} {:>8} {:>9.3f} {:>9.0f} {:>9.3f} {:>8}  {}\n", family.name,
             size.number, size.traces, counted.executions, optimal.seconds,
             static_cast<double>(counted.executions) / optimal.seconds, source.seconds,
             source.statistics.blocked_executions, right ? "" : "WRONG");
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  std::chrono::seconds limit(60);
  if (argc == 3 && std::string_view(argv[1]) == "--limit") {
    limit = std::chrono::seconds(std::stoul(argv[2]));
  } else if (argc != 1) {
    fmt::print(stderr, "usage: bench_families [--limit SECONDS]\n");
    return 3;
  }
  fmt::print("{:<13} {:>3} {:>8} {:>8} {:>9} {:>9} {:>9} {:>8}\n", "family", "N", "traces", "run",
             "CPU s", "runs/s", "source s", "in vain");
  bool right = true;
  for (const bench::Family& family : bench::families())
    for (const bench::Family::Size& size : family.sizes) right = show(family, size, limit) && right;
  return right ? 0 : 1;
}
