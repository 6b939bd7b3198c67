// What the user asked for on the command line.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "frontend/frontend.hpp"
#include "portfolio/portfolio.hpp"
#include "portfolio/sequential_text.hpp"
#include "sequentialize/options.hpp"
#include "verdict/property.hpp"

namespace heddle::app {

// What is wrong with the command line, ready to print.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Loudness { normal, quiet };
enum class Counters { hidden, shown };

struct CheckCommand {
  frontend::SourceInput input{};
  verdict::Property property = verdict::Property::standard();
  std::optional<std::chrono::milliseconds> time{};
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  portfolio::Options engines{};
  Loudness loudness = Loudness::normal;
  Counters counters = Counters::hidden;
  std::optional<std::size_t> most_rows{};  // of the trace; nullopt: the report's own choice
};

enum class ProgramForm { text, c, graph };

struct PrintCommand {
  frontend::SourceInput input{};
  ProgramForm form = ProgramForm::text;
};

struct SequentializeCommand {
  frontend::SourceInput input{};
  verdict::Property property = verdict::Property::standard();
  portfolio::Scheme scheme{};
  std::optional<std::string> output{};  // none: standard output
};

struct RunCommand {
  frontend::SourceInput input{};
  verdict::Property property = verdict::Property::standard();
  std::uint64_t seed = 1;
  std::uint64_t most_steps = 100'000;
};

// --help and --version: print and be done.
struct ShowCommand {
  std::string text{};
};

using Command =
    std::variant<CheckCommand, PrintCommand, SequentializeCommand, RunCommand, ShowCommand>;

// `arguments` without the program's name. Throws UsageError.
Command parse_command(std::vector<std::string> arguments);

// "500ms", "60s", "5m", "1h"; a plain number counts seconds.
std::optional<std::chrono::milliseconds> parse_duration(const std::string& text);
// "512M", "4G", "100K", each with or without a B behind.
std::optional<std::uint64_t> parse_size(const std::string& text);

}  // namespace heddle::app
