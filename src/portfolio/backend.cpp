#include "portfolio/backend.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

namespace heddle::portfolio {
namespace {

std::string first_word(const std::string& command) {
  std::istringstream words(command);
  std::string word;
  words >> word;
  return word;
}

bool is_executable(const std::string& file) { return access(file.c_str(), X_OK) == 0; }

bool is_there(const std::string& program) {
  if (program.empty()) return false;
  if (program.find('/') != std::string::npos) return is_executable(program);
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (is_executable(folder + "/" + program)) return true;
  return false;
}

// A file that is gone when its owner is.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text) {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-XXXXXX.c").string();
    const int descriptor = mkstemps(pattern.data(), 2);
    if (descriptor < 0) throw std::runtime_error("cannot write to the folder for temporary files");
    close(descriptor);
    name_ = pattern;
    std::ofstream(name_) << text;
  }
  ~TemporaryFile() { std::remove(name_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_{};
};

// All that the command prints until it ends, or until the budget does.
std::string output_of(const std::string& command, const base::Budget& budget) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("cannot make a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a shell");
  if (child == 0) {
    setpgid(0, 0);  // so that all that it starts can be stopped at once
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  setpgid(child, child);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    pollfd waiting{ends[0], POLLIN, 0};
    const int ready = poll(&waiting, 1, 100);
    if (ready == 0 && budget.out_of_time()) {
      kill(-child, SIGKILL);
      break;
    }
    if (ready <= 0) continue;
    const ssize_t count = read(ends[0], buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return text;
}

}  // namespace

std::string backend_name(const std::string& command) {
  const std::string word = first_word(command);
  return word.substr(word.rfind('/') + 1);
}

std::string backend_command(const std::string& command, ir::DataModel model) {
  const bool wide = model == ir::DataModel::lp64;
  const std::string name = backend_name(command);
  const auto with = [&](std::string_view flag) {
    if (command.find(flag) != std::string::npos) return command;
    return fmt::format("{} {}", command, flag);
  };
  if (name == "cbmc" || name == "esbmc") return with(wide ? "--64" : "--32");
  if (name == "cpachecker" || name == "cpa.sh") return with(wide ? "-64" : "-32");
  if (name == "uautomizer" || name == "Ultimate.py")
    return with(wide ? "--architecture 64bit" : "--architecture 32bit");
  return command;
}

BackendAnswer read_backend_answer(const std::string& output) {
  BackendAnswer answer;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (line.find_first_not_of(" \t\r") != std::string::npos) answer.last_line = line;
  const auto says = [&](std::string_view phrase) {
    return output.find(phrase) != std::string::npos;
  };
  // Failures first: a log may speak of both.
  for (const std::string_view phrase :
       {"VERIFICATION FAILED", "Verification result: FALSE", "proved your program to be incorrect"})
    if (says(phrase)) return {BackendSays::violated, answer.last_line};
  for (const std::string_view phrase : {"VERIFICATION SUCCESSFUL", "Verification result: TRUE",
                                        "proved your program to be correct"})
    if (says(phrase)) return {BackendSays::correct, answer.last_line};
  return answer;
}

BackendAnswer ask_backend(const std::string& command, const std::string& c_text,
                          ir::DataModel model, const base::Budget& budget) {
  if (!is_there(first_word(command)))
    throw BackendMissing(
        fmt::format("the verifier '{}' was not found; install it, or give "
                    "--backend the path to it",
                    first_word(command)));
  const TemporaryFile file(c_text);
  return read_backend_answer(
      output_of(fmt::format("{} {}", backend_command(command, model), file.name()), budget));
}

}  // namespace heddle::portfolio
