// Clang recurses on nested input. While a guard lives, running out of stack ends the
// process with a message about the input instead of a crash.
#pragma once

#include <csignal>
#include <memory>
#include <string>

namespace heddle::frontend {

class StackGuard {
 public:
  explicit StackGuard(const std::string& file);
  ~StackGuard();
  StackGuard(const StackGuard&) = delete;
  StackGuard& operator=(const StackGuard&) = delete;

 private:
  std::unique_ptr<char[]> stack_;
  stack_t previous_stack_{};
  struct sigaction previous_action_ {};
};

}  // namespace heddle::frontend
