// From C source to a Program. The only door to the room that sees Clang: nothing
// of Clang shows through this header.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "ir/program.hpp"

namespace heddle::frontend {

struct SourceInput {
  std::vector<std::string> files{};           // linked into one program, in this order
  std::vector<std::string> compiler_flags{};  // what the user wrote after `--`
  ir::DataModel data_model = ir::DataModel::lp64;
};

// What is wrong with the user's input: complete lines "file:line:col: error: message".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws InputError with one clear message if the input is not a C program that we accept.
ir::Program parse(const SourceInput& input);

// For tests and tools: the same from a text in memory.
ir::Program parse_text(const std::string& name, const std::string& text,
                       ir::DataModel model = ir::DataModel::lp64);

}  // namespace heddle::frontend
