// Runs a program as gcc compiles it, again and again.
#include "generate/native.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace heddle::generate {
namespace {

constexpr unsigned seconds_a_run = 2;
constexpr int error_code = 42;  // of reach_error in native_stubs.c

// The wait status. A limit of 0 seconds is none.
int execute(const std::vector<std::string>& command, unsigned limit) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    alarm(limit);  // outlives execvp, and its signal ends the program
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::runtime_error("lost a process");
  return status;
}

void compile(const std::vector<std::string>& command) {
  if (execute(command, 0) == 0) return;
  std::string text = "this command failed:";
  for (const std::string& word : command) text += " " + word;
  throw std::runtime_error(text);
}

}  // namespace

Native::Native() {
  std::string name = (std::filesystem::temp_directory_path() / "heddle-native-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
  folder_ = name;
  compile({"gcc", "-O1", "-c", HEDDLE_SOURCE_DIR "/tests/generate/native_stubs.c", "-o",
           folder_ / "stubs.o"});
}

Native::~Native() {
  std::error_code ignored;  // a folder that is gone already is as good as removed
  std::filesystem::remove_all(folder_, ignored);
}

NativeRuns Native::run(const std::string& program, int times) {
  const std::filesystem::path source = folder_ / "program.c";
  const std::filesystem::path binary = folder_ / "program";
  std::ofstream(source) << program;
  // Signed overflow wraps, as it does to us.
  compile({"gcc", "-O1", "-w", "-fwrapv", "-pthread", source, folder_ / "stubs.o", "-o", binary});
  NativeRuns runs;
  while (runs.finished + runs.failed < times && runs.endless == 0) {
    const int status = execute({binary}, seconds_a_run);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      ++runs.finished;
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == error_code) {
      ++runs.failed;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) {  // assert
      ++runs.failed;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
      ++runs.endless;
    } else {
      throw std::runtime_error("the compiled program ended with wait status " +
                               std::to_string(status));
    }
  }
  return runs;
}

}  // namespace heddle::generate
