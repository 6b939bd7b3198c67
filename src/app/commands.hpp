// What the program does, command by command. Each returns the exit code.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "app/options.hpp"

namespace heddle::app {

enum ExitCode : int { safe = 0, violation = 1, unknown = 2, bad_input = 3, internal_error = 4 };

ExitCode run_check(const CheckCommand& command);
ExitCode run_print(const PrintCommand& command);
ExitCode run_sequentialize(const SequentializeCommand& command);
ExitCode run_random(const RunCommand& command);

// Parses the arguments (without the program's name), does what they ask, and turns every error
// into a message on standard error and an exit code.
ExitCode run_heddle(const std::vector<std::string>& arguments);

}  // namespace heddle::app
