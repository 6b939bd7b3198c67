// Runs a task in a process of its own, so that a crash or an endless run of one
// program is a finding about it and not the end of the whole run.
#pragma once

#include <functional>
#include <string>

namespace heddle::generate {

struct Isolated {
  std::string text{};     // what the task returned, if it came to its end
  std::string failure{};  // else how the process ended: "killed by signal 11", "still running ..."
};

Isolated run_isolated(const std::function<std::string()>& task, unsigned seconds);

}  // namespace heddle::generate
