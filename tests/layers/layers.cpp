// Checks, in this order: the table (readable, closed, acyclic), then each #include.
#include "layers/layers.hpp"

#include <array>
#include <optional>
#include <regex>
#include <sstream>

namespace heddle::layers {
namespace {

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  std::stringstream stream{std::string(path)};
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  return parts;
}

// A foreign library that only one room may see.
struct Fenced {
  std::string_view name;
  std::string_view room;
  std::regex header;
};

const std::array<Fenced, 2>& fenced() {
  static const std::array<Fenced, 2> libraries = {
      Fenced{"clang and LLVM headers", "frontend", std::regex(R"((clang|llvm|clang-c|llvm-c)/.*)")},
      Fenced{"solver headers", "smt",
             std::regex(R"(z3(\+\+|_.*)?\.h|minisat/.*|[bf]dd\.h|c?cadical\.h(pp)?|cadical/.*)")}};
  return libraries;
}

// Depth-first search for a way back to a room that is still on the path.
class CycleSearch {
 public:
  explicit CycleSearch(const Table& table) : table_(table) {}

  std::optional<std::string> find() {
    for (const auto& [room, seen] : table_.sees) {
      if (auto cycle = visit(room)) return cycle;
    }
    return std::nullopt;
  }

 private:
  std::optional<std::string> visit(const std::string& room) {
    if (done_.contains(room)) return std::nullopt;
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (path_[i] == room) return spell(i);
    }
    path_.push_back(room);
    if (const auto found = table_.sees.find(room); found != table_.sees.end()) {
      for (const auto& next : found->second) {
        if (auto cycle = visit(next)) return cycle;
      }
    }
    path_.pop_back();
    done_.insert(room);
    return std::nullopt;
  }

  std::string spell(std::size_t first) const {
    std::string text;
    for (std::size_t i = first; i < path_.size(); ++i) text += path_[i] + " -> ";
    return text + path_[first];
  }

  const Table& table_;
  std::vector<std::string> path_;
  std::set<std::string> done_;
};

void check_table(const Table& table, std::vector<Violation>& violations) {
  violations.insert(violations.end(), table.violations.begin(), table.violations.end());
  for (const auto& [room, seen] : table.sees) {
    for (const auto& other : seen) {
      if (!table.sees.contains(other)) {
        violations.push_back({"layers.txt", 0, room + " sees " + other + ", which has no line"});
      }
    }
  }
  if (const auto cycle = CycleSearch(table).find()) {
    violations.push_back({"layers.txt", 0, "cycle: " + *cycle});
  }
}

// "engine/bmc/bmc.cpp" -> "bmc"; a file directly in engine/ -> "".
std::string engine_of(const std::vector<std::string>& parts) {
  return parts.size() > 2 ? parts[1] : "";
}

std::optional<std::string> judge_foreign(const std::string& room, const std::string& header) {
  for (const auto& library : fenced()) {
    if (room != library.room && std::regex_match(header, library.header)) {
      return std::string(library.name) + " belong to src/" + std::string(library.room) + ": " +
             header;
    }
  }
  return std::nullopt;
}

std::optional<std::string> judge_own(const Table& table, const std::vector<std::string>& from,
                                     const std::string& header) {
  const auto to = split(header);
  if (to.size() < 2 || !table.sees.contains(to[0])) {
    return "include \"" + header + "\" does not name a room: write \"room/file.hpp\"";
  }
  const std::string& room = from[0];
  if (to[0] != room && !table.sees.at(room).contains(to[0])) {
    return room + " may not include " + to[0] + ": " + header;
  }
  if (room == "engine" && to[0] == "engine" && !engine_of(to).empty() &&
      engine_of(to) != engine_of(from)) {
    return "engines may not include each other: " + header;
  }
  return std::nullopt;
}

void check_file(const Table& table, const SourceFile& file, std::vector<Violation>& violations) {
  const auto from = split(file.path);
  if (from.size() < 2 || !table.sees.contains(from[0])) {
    violations.push_back({file.path, 0, "the file is in no room of layers.txt"});
    return;
  }
  static const std::regex include(R"re(\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::stringstream stream(file.text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    std::smatch match;
    if (!std::regex_match(line, match, include)) continue;
    const std::string header = match[2];
    auto message = judge_foreign(from[0], header);
    const bool rooms_own = split(header).size() > 1 && table.sees.contains(split(header)[0]);
    const bool foreign = std::regex_match(header, fenced()[0].header) ||
                         std::regex_match(header, fenced()[1].header);
    if (!message && !foreign && (match[1] == "\"" || rooms_own)) {
      message = judge_own(table, from, header);
    }
    if (message) violations.push_back({file.path, number, *message});
  }
}

}  // namespace

Table read_table(std::string_view text) {
  static const std::regex shape(R"(([a-z_]+):((\s+[a-z_]+)*)\s*)");
  Table table;
  std::stringstream stream{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    std::smatch match;
    if (!std::regex_match(line, match, shape)) {
      table.violations.push_back({"layers.txt", number, "cannot be read: " + line});
      continue;
    }
    auto& seen = table.sees[match[1]];
    std::stringstream rooms(match[2]);
    for (std::string room; rooms >> room;) seen.insert(room);
  }
  return table;
}

std::vector<Violation> find_violations(const Table& table, const std::vector<SourceFile>& files) {
  std::vector<Violation> violations;
  check_table(table, violations);
  for (const auto& file : files) check_file(table, file, violations);
  return violations;
}

}  // namespace heddle::layers
