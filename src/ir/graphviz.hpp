// The control-flow automaton of each function as Graphviz text.
#pragma once

#include <string>

#include "ir/program.hpp"

namespace heddle::ir {

enum class GraphScope { user, user_and_models };

// One digraph with a cluster a function: locations are nodes, edges carry statement and line.
std::string to_dot(const Program& program, GraphScope scope);

}  // namespace heddle::ir
