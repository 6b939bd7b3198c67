// Where in the user's text a step is that may be one of the model library.
#pragma once

#include "ir/program.hpp"
#include "machine/state.hpp"

namespace heddle::engine::explore {

// The step itself, or the call in the user's text that led into the model library.
ir::EdgeId user_edge(const ir::Program& program, const machine::State& state,
                     machine::ThreadNumber thread, ir::EdgeId step);

}  // namespace heddle::engine::explore
