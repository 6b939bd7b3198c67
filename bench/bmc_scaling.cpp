// How the time of `bmc` grows with the length of two threads and with their number,
// for both encodings of the order. Both are measured in one run, in turn, so that
// their ratio holds even where the machine is busy with something else.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bmc_programs.hpp"
#include "bench/plot.hpp"
#include "engine/bmc/bmc.hpp"
#include "frontend/frontend.hpp"
#include "portfolio/portfolio.hpp"

namespace heddle::bench {
namespace {

using engine::bmc::Encoding;

struct Silent : engine::Listener {
  void progress(const verdict::Progress&) override {}
};

struct Settings {
  std::uint32_t limit = 20;  // seconds of one run
  std::uint32_t repeat = 1;  // runs of each; the fastest counts
  std::uint32_t most_rounds = 10;
  std::uint32_t most_threads = 8;
  std::string out = ".";
};

struct Family {
  std::string name{};
  std::string size_name{};
  std::function<std::string(std::uint32_t, Expected)> program{};
  Expected expected{};
  std::uint32_t first = 1, last = 1;
};

struct Measured {
  double cpu = 0, wall = 0;
  std::string answer{};
  engine::bmc::Statistics statistics{};
};

struct Row {
  std::uint32_t size = 0;
  std::map<Encoding, Measured> measured{};  // without those that a smaller size was too much for
};

constexpr std::array<std::pair<Encoding, const char*>, 2> encodings{
    {{Encoding::theory, "theory"}, {Encoding::clocks, "clocks"}}};

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::string answer_of(const verdict::Verdict& verdict) {
  if (std::holds_alternative<verdict::Safe>(verdict)) return "safe";
  return std::holds_alternative<verdict::Unsafe>(verdict) ? "unsafe" : "unknown";
}

Measured run_once(const ir::Program& program, const verdict::Property& property, Encoding encoding,
                  const Settings& settings) {
  engine::bmc::Bmc bmc({.encoding = encoding});
  Silent silent;
  const base::Budget budget(std::chrono::seconds(settings.limit), std::uint64_t{4} << 30);
  const double cpu = cpu_seconds();
  const verdict::Verdict verdict = bmc.run(program, property, budget, silent);
  return {cpu_seconds() - cpu, budget.elapsed_seconds(), answer_of(verdict), bmc.statistics()};
}

Measured fastest(const ir::Program& program, const verdict::Property& property, Encoding encoding,
                 const Settings& settings) {
  Measured best = run_once(program, property, encoding, settings);
  for (std::uint32_t i = 1; i < settings.repeat; ++i) {
    Measured next = run_once(program, property, encoding, settings);
    if (next.cpu < best.cpu) best = std::move(next);
  }
  return best;
}

void print_row(const Row& row) {
  const auto cell = [&](Encoding encoding) {
    const auto found = row.measured.find(encoding);
    if (found == row.measured.end()) return std::string("-");
    const Measured& measured = found->second;
    return measured.answer == "unknown" ? fmt::format(">{:.1f}", measured.cpu)
                                        : fmt::format("{:.3f}", measured.cpu);
  };
  const auto theory = row.measured.find(Encoding::theory),
             clocks = row.measured.find(Encoding::clocks);
  std::string ratio = "-";
  if (theory != row.measured.end() && clocks != row.measured.end() &&
      theory->second.answer != "unknown")
    ratio = fmt::format("{}{:.3f}", clocks->second.answer == "unknown" ? "<" : "",
                        theory->second.cpu / clocks->second.cpu);
  if (row.measured.empty()) return;
  const engine::bmc::Statistics& counted = row.measured.begin()->second.statistics;
  fmt::print("{:>6} {:>7} {:>8} {:>8} {:>9} {:>9} {:>14}\n", row.size, counted.nodes,
             counted.sources, counted.gates, cell(Encoding::theory), cell(Encoding::clocks), ratio);
}

// False: some answer was wrong.
bool measure(const Family& family, const Settings& settings, std::vector<Row>& rows) {
  const std::string expected = family.expected == Expected::safe ? "safe" : "unsafe";
  const verdict::Property property{{verdict::Check::error_call}};
  fmt::print("\n{}, {}\n{:>6} {:>7} {:>8} {:>8} {:>9} {:>9} {:>14}\n", family.name, expected,
             family.size_name, "nodes", "sources", "gates", "theory s", "clocks s",
             "theory/clocks");
  std::map<Encoding, bool> exhausted;
  bool right = true;
  for (std::uint32_t size = family.first; size <= family.last; ++size) {
    const ir::Program program = portfolio::prepare(
        frontend::parse_text("bench.c", family.program(size, family.expected)), property);
    Row row{size, {}};
    for (const auto& [encoding, name] : encodings) {
      if (exhausted[encoding]) continue;
      const Measured measured = fastest(program, property, encoding, settings);
      exhausted[encoding] = measured.answer == "unknown";
      if (measured.answer != "unknown" && measured.answer != expected) {
        fmt::print("WRONG: {} at {} with {} is {}\n", family.name, size, name, measured.answer);
        right = false;
      }
      row.measured.emplace(encoding, measured);
    }
    print_row(row);
    std::fflush(stdout);
    rows.push_back(std::move(row));
  }
  return right;
}

Panel panel_of(const Family& family, const std::vector<Row>& rows) {
  Panel panel{family.name + (family.expected == Expected::safe ? ", safe" : ", unsafe"),
              family.size_name,
              {}};
  for (const auto& [encoding, name] : encodings) {
    Curve curve{name, {}};
    for (const Row& row : rows) {
      const auto found = row.measured.find(encoding);
      if (found != row.measured.end() && found->second.answer != "unknown")
        curve.points.emplace_back(row.size, found->second.cpu);
    }
    panel.curves.push_back(std::move(curve));
  }
  return panel;
}

void write_tsv(std::ofstream& file, const Family& family, const std::vector<Row>& rows) {
  for (const Row& row : rows)
    for (const auto& [encoding, name] : encodings) {
      const auto found = row.measured.find(encoding);
      if (found == row.measured.end()) continue;
      const Measured& measured = found->second;
      file << fmt::format("{}\t{}\t{}\t{}\t{}\t{:.4f}\t{:.4f}\t{}\t{}\t{}\n", family.name,
                          family.expected == Expected::safe ? "safe" : "unsafe", row.size, name,
                          measured.answer, measured.cpu, measured.wall, measured.statistics.nodes,
                          measured.statistics.sources, measured.statistics.gates);
    }
}

int run(const Settings& settings) {
  std::vector<Family> families;
  for (const Expected expected : {Expected::safe, Expected::unsafe}) {
    families.push_back({"Fibonacci", "N", fibonacci, expected, 1, settings.most_rounds});
    families.push_back({"counter", "T", counter, expected, 1, settings.most_threads});
  }
  // One thread alone loses no update.
  for (Family& family : families)
    if (family.name == "counter") family.first = 2;
  std::ofstream tsv(settings.out + "/bmc_scaling.tsv"), svg(settings.out + "/bmc_scaling.svg");
  tsv << "family\texpected\tsize\tencoding\tanswer\tcpu\twall\tnodes\tsources\tgates\n";
  std::vector<Panel> panels;
  bool right = true;
  for (const Family& family : families) {
    std::vector<Row> rows;
    right &= measure(family, settings, rows);
    write_tsv(tsv, family, rows);
    panels.push_back(panel_of(family, rows));
  }
  svg << to_svg(panels);
  if (!tsv.flush() || !svg.flush()) {
    fmt::print(stderr, "cannot write to {}\n", settings.out);
    return 2;
  }
  return right ? 0 : 1;
}

constexpr const char* usage =
    "bench_bmc [--limit SECONDS] [--repeat K] [--rounds N] [--threads T] [--out FOLDER]\n"
    "CPU time of the engine `bmc`, with the ordering theory and with clocks. The front end is not\n"
    "counted. Of K runs the fastest counts; an encoding that reaches the limit (20 s by default)\n"
    "is not asked about larger sizes. Writes bmc_scaling.tsv and bmc_scaling.svg.\n"
    "Exit code 1: an answer was wrong.\n";

std::optional<Settings> parse(const std::vector<std::string_view>& arguments) {
  Settings settings;
  const std::map<std::string_view, std::uint32_t*> numbers{{"--limit", &settings.limit},
                                                           {"--repeat", &settings.repeat},
                                                           {"--rounds", &settings.most_rounds},
                                                           {"--threads", &settings.most_threads}};
  for (std::size_t i = 0; i + 1 < arguments.size(); i += 2) {
    const std::string_view value = arguments[i + 1];
    const auto number = numbers.find(arguments[i]);
    if (arguments[i] == "--out") {
      settings.out = value;
    } else if (number == numbers.end() ||
               std::from_chars(value.data(), value.data() + value.size(), *number->second).ptr !=
                   value.data() + value.size()) {
      return std::nullopt;
    }
  }
  return arguments.size() % 2 == 0 ? std::optional(settings) : std::nullopt;
}

}  // namespace
}  // namespace heddle::bench

int main(int argc, char** argv) {
  const auto settings = heddle::bench::parse({argv + 1, argv + argc});
  if (!settings) {
    fmt::print(stderr, "{}", heddle::bench::usage);
    return 2;
  }
  return heddle::bench::run(*settings);
}
