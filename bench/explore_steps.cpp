// What each optimisation of the stateful `explore` is worth: the steps of the ThreadingCPA
// paper (one flat list of states, a list for each tuple of locations, a better order, then
// the reductions), one after the other, over a list of public verification tasks. Each run
// is a process of its own with a limit on its time. The result is a table and a quantile
// plot: how many tasks a variant solves within so many seconds each.
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench/plot.hpp"

namespace heddle::bench {
namespace {

struct Step {
  std::string name{};
  std::vector<std::string> flags{};
};

const std::vector<Step>& steps() {
  static const std::vector<Step> all{
      {"plain", {"--no-forgetting", "--no-local-steps", "--order=bfs", "--reached=flat"}},
      {"partitioned",
       {"--no-forgetting", "--no-local-steps", "--order=bfs", "--reached=partitioned"}},
      {"hashed", {"--no-forgetting", "--no-local-steps", "--order=bfs"}},
      {"order", {"--no-forgetting", "--no-local-steps"}},
      {"local steps", {"--no-persistent-steps", "--no-movers", "--no-symmetry", "--no-forgetting"}},
      {"persistent steps", {"--no-movers", "--no-symmetry", "--no-forgetting"}},
      {"movers", {"--no-symmetry", "--no-forgetting"}},
      {"symmetry", {"--no-forgetting"}},
      {"dead values", {}},
  };
  return all;
}

struct Task {
  std::string path{};
  std::string property{};
  bool safe = false;  // expected
  bool narrow = false;
};

struct Settings {
  std::string heddle = "build/release/heddle";
  std::filesystem::path list = "../shared/tasks/sample.tsv";
  std::string property = "unreach-call";
  std::uint32_t limit = 5;  // seconds of one run
  std::uint32_t every = 1;  // takes every n-th task only
  std::string out = ".";
};

struct Tally {
  std::uint32_t safe = 0, unsafe = 0, wrong = 0;
  std::vector<double> seconds{};  // CPU time of those that were solved
};

std::vector<Task> read_tasks(const Settings& settings) {
  std::ifstream file(settings.list);
  std::string line;
  std::vector<std::string> header;
  std::vector<Task> tasks;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, '\t');) cells.push_back(cell);
    if (header.empty()) {
      header = cells;
      continue;
    }
    const auto cell = [&](std::string_view name) {
      const auto at = std::find(header.begin(), header.end(), name) - header.begin();
      return static_cast<std::size_t>(at) < cells.size() ? cells[static_cast<std::size_t>(at)]
                                                         : std::string{};
    };
    if (cell("property") != settings.property) continue;
    tasks.push_back({cell("path"), cell("property"), cell("expected") == "true",
                     cell("data_model") == "ILP32"});
  }
  std::vector<Task> kept;
  for (std::size_t i = 0; i < tasks.size(); i += settings.every) kept.push_back(tasks[i]);
  return kept;
}

struct Run {
  int exit = -1;  // as heddle gives it; -1: killed
  double cpu = 0;
};

Run run(const std::vector<std::string>& arguments, std::uint32_t limit) {
  const pid_t child = fork();
  if (child == 0) {
    std::vector<char*> raw;
    for (const std::string& argument : arguments)
      raw.push_back(const_cast<char*>(argument.c_str()));
    raw.push_back(nullptr);
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(127);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(127);
    const rlimit cpu{limit + 3, limit + 5};  // should it not stop by itself
    setrlimit(RLIMIT_CPU, &cpu);
    execv(raw[0], raw.data());
    _exit(127);
  }
  int status = 0;
  rusage used{};
  if (child < 0 || wait4(child, &status, 0, &used) != child) return {};
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          seconds(used.ru_utime) + seconds(used.ru_stime)};
}

Tally measure(const Settings& settings, const Step& step, const std::vector<Task>& tasks) {
  const std::filesystem::path folder = settings.list.parent_path();
  Tally tally;
  for (const Task& task : tasks) {
    std::vector<std::string> arguments{settings.heddle,
                                       "check",
                                       "-q",
                                       "--engine=explore",
                                       "--search=stateful",
                                       fmt::format("--time={}s", settings.limit),
                                       "--property",
                                       (folder / "properties" / (task.property + ".prp")).string(),
                                       task.narrow ? "-m32" : "-m64"};
    arguments.insert(arguments.end(), step.flags.begin(), step.flags.end());
    arguments.push_back((folder / task.path).string());
    const Run done = run(arguments, settings.limit);
    if (done.exit != 0 && done.exit != 1) continue;
    if ((done.exit == 0) != task.safe) {
      ++tally.wrong;
      fmt::print("WRONG: {} with '{}'\n", task.path, step.name);
      continue;
    }
    ++(task.safe ? tally.safe : tally.unsafe);
    tally.seconds.push_back(done.cpu);
  }
  std::sort(tally.seconds.begin(), tally.seconds.end());
  return tally;
}

// The picture as a table: how long the n-th fastest of the tasks solved took, for each step.
void write_quantiles(const Settings& settings, const Panel& panel) {
  std::ofstream table(settings.out + "/explore_steps_quantiles.tsv");
  std::size_t most = 0;
  table << "n";
  for (const Curve& curve : panel.curves) {
    table << '\t' << curve.name;
    most = std::max(most, curve.points.size());
  }
  for (std::size_t i = 0; i < most; ++i) {
    table << fmt::format("\n{}", i + 1);
    for (const Curve& curve : panel.curves)
      table << (i < curve.points.size() ? fmt::format("\t{:.2f}", curve.points[i].second) : "\t-");
  }
  table << '\n';
}

int compare_steps(const Settings& settings) {
  const std::vector<Task> tasks = read_tasks(settings);
  if (tasks.empty()) {
    fmt::print("no tasks in {}: nothing is measured\n", settings.list.string());
    return 0;
  }
  Panel panel{fmt::format("{} tasks, {} s each", tasks.size(), settings.limit), "tasks solved", {}};
  std::ofstream table(settings.out + "/explore_steps.tsv");
  table << "step\tsafe\tunsafe\twrong\tcpu_s\n";
  std::uint32_t wrong = 0;
  for (const Step& step : steps()) {
    const Tally tally = measure(settings, step, tasks);
    double total = 0;
    Curve curve{step.name, {}};
    for (std::size_t i = 0; i < tally.seconds.size(); ++i) {
      total += tally.seconds[i];
      curve.points.emplace_back(static_cast<double>(i + 1), std::max(tally.seconds[i], 0.01));
    }
    panel.curves.push_back(std::move(curve));
    wrong += tally.wrong;
    table << fmt::format("{}\t{}\t{}\t{}\t{:.1f}\n", step.name, tally.safe, tally.unsafe,
                         tally.wrong, total);
    fmt::print("{:<18} {:>4} safe {:>4} unsafe {:>3} wrong, {:>8.1f} s for those solved\n",
               step.name, tally.safe, tally.unsafe, tally.wrong, total);
    std::fflush(stdout);
  }
  std::ofstream(settings.out + "/explore_steps.svg") << to_svg({panel});
  write_quantiles(settings, panel);
  return wrong == 0 ? 0 : 1;
}

constexpr std::string_view usage =
    "usage: bench_steps [options]\n"
    "  --heddle FILE    the program to measure (default build/release/heddle)\n"
    "  --list FILE      table of tasks (default ../shared/tasks/sample.tsv)\n"
    "  --property NAME  of the tasks to take (default unreach-call)\n"
    "  --limit N        seconds a run (default 5)\n"
    "  --every N        take every N-th task only (default 1)\n"
    "  --out DIR        where explore_steps.tsv, .svg and _quantiles.tsv go (default .)\n";

int main_of(const std::vector<std::string>& arguments) {
  Settings settings;
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const std::string& name = arguments[i];
    if (name == "--help" || i + 1 == arguments.size()) {
      fmt::print("{}", usage);
      return name == "--help" ? 0 : 2;
    }
    const std::string& value = arguments[i + 1];
    std::uint32_t number = 0;
    std::from_chars(value.data(), value.data() + value.size(), number);
    if (name == "--heddle")
      settings.heddle = value;
    else if (name == "--list")
      settings.list = value;
    else if (name == "--property")
      settings.property = value;
    else if (name == "--limit" && number > 0)
      settings.limit = number;
    else if (name == "--every" && number > 0)
      settings.every = number;
    else if (name == "--out")
      settings.out = value;
    else {
      fmt::print("{}", usage);
      return 2;
    }
  }
  return compare_steps(settings);
}

}  // namespace
}  // namespace heddle::bench

int main(int count, char** values) { return heddle::bench::main_of({values + 1, values + count}); }
