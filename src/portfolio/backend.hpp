// Other verifiers, asked about a sequential C program: runs a command on a file and
// reads the verdict from what it prints.
#pragma once

#include <stdexcept>
#include <string>

#include "base/budget.hpp"
#include "ir/type.hpp"

namespace heddle::portfolio {

// The command is not there; what to tell the user.
class BackendMissing : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class BackendSays { correct, violated, nothing };

struct BackendAnswer {
  BackendSays says = BackendSays::nothing;
  std::string last_line{};  // of what it printed, for whoever wonders
};

// The first word of a command, without its folder: "cbmc" of "/opt/bin/cbmc --unwind 5".
std::string backend_name(const std::string& command);
// With what the verifiers that we know need to be told about the data model.
std::string backend_command(const std::string& command, ir::DataModel model);
// Known phrases of cbmc, esbmc, CPAchecker and Ultimate.
BackendAnswer read_backend_answer(const std::string& output);
// Throws BackendMissing.
BackendAnswer ask_backend(const std::string& command, const std::string& c_text,
                          ir::DataModel model, const base::Budget& budget);

}  // namespace heddle::portfolio
