// Runs a task in a process of its own.
#include "generate/isolated.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <stdexcept>

namespace heddle::generate {
namespace {

constexpr int exit_code_of_success = 17;  // unlike those of a sanitizer or of a stray exit

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    if (written <= 0) _exit(1);
    done += static_cast<std::size_t>(written);
  }
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace

Isolated run_isolated(const std::function<std::string()>& task, unsigned seconds) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("cannot create a pipe");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    close(ends[0]);
    signal(SIGALRM, SIG_DFL);
    alarm(seconds);
    write_all(ends[1], task());
    _exit(exit_code_of_success);  // without the clean-up that belongs to the parent
  }
  close(ends[1]);
  Isolated result;
  result.text = read_all(ends[0]);
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost a process");
  if (WIFEXITED(status) && WEXITSTATUS(status) == exit_code_of_success) return result;
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
    result.failure = "still running after " + std::to_string(seconds) + " s";
  } else if (WIFSIGNALED(status)) {
    result.failure = "killed by signal " + std::to_string(WTERMSIG(status));
  } else {
    result.failure = "ended with code " + std::to_string(WEXITSTATUS(status));
  }
  return result;
}

}  // namespace heddle::generate
