// CHECK: an invariant of ours, with the reason why it should hold. A broken one
// is our bug: it surfaces as an internal error (exit code 4), never as a verdict.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle::base {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* condition, const std::string& why, const char* file,
                                    int line) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": CHECK(" + condition +
                      ") failed: " + why);
}

}  // namespace heddle::base

#define CHECK(condition, why)                                            \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::heddle::base::fail_check(#condition, (why), __FILE__, __LINE__); \
  } while (false)
