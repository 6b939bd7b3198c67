#include "frontend/stack_guard.hpp"

#include <unistd.h>

#include <cstring>

namespace heddle::frontend {
namespace {

constexpr std::size_t handler_stack_bytes = 64 * 1024;
constexpr int bad_input = 3;  // the exit code of `heddle` for input that it does not accept

// Prepared before the fault: a signal handler may do little more than write().
char message[4096];
std::size_t message_length = 0;

void report_and_leave(int) {
  const ssize_t written = write(STDERR_FILENO, message, message_length);
  static_cast<void>(written);
  _exit(bad_input);
}

}  // namespace

StackGuard::StackGuard(const std::string& file) : stack_(new char[handler_stack_bytes]) {
  const std::string text =
      file.substr(0, 3000) + ":1:1: error: nested too deeply; split the expression or the blocks\n";
  std::memcpy(message, text.data(), text.size());
  message_length = text.size();
  stack_t handler_stack{};
  handler_stack.ss_sp = stack_.get();
  handler_stack.ss_size = handler_stack_bytes;
  sigaltstack(&handler_stack, &previous_stack_);
  struct sigaction action {};
  action.sa_handler = report_and_leave;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGSEGV, &action, &previous_action_);
}

StackGuard::~StackGuard() {
  sigaction(SIGSEGV, &previous_action_, nullptr);
  sigaltstack(&previous_stack_, nullptr);
}

}  // namespace heddle::frontend
