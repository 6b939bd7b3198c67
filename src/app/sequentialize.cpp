// `heddle sequentialize`: prints the sequential program as C.
#include <fmt/format.h>

#include <fstream>

#include "app/commands.hpp"
#include "frontend/frontend.hpp"
#include "portfolio/portfolio.hpp"
#include "portfolio/sequential_text.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::app {
ExitCode run_sequentialize(const SequentializeCommand& command) {
  ir::Program program = frontend::parse(command.input);
  program = portfolio::prepare(std::move(program), command.property);
  std::string text;
  try {
    text = portfolio::sequential_c(program, command.property, command.scheme);
  } catch (const sequentialize::Rejected& rejected) {
    fmt::print(stderr, "heddle: cannot sequentialize this program: {}\n", rejected.what());
    return bad_input;
  }
  if (!command.output) {
    fmt::print("{}", text);
    return safe;
  }
  std::ofstream file(*command.output);
  file << text;
  file.close();
  if (file) return safe;
  fmt::print(stderr, "heddle: cannot write '{}'\n", *command.output);
  return bad_input;
}

}  // namespace heddle::app
