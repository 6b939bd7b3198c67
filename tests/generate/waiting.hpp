// A thread that waits for ever while others run on is a deadlock too, but no single
// state shows it: some other thread could always still end the wait, and never does.
// This looks at the whole graph of states, without any reduction.
#pragma once

#include <cstdint>

#include "ir/program.hpp"

namespace heddle::generate {

enum class Waiting { none, endless, undecided };

// Undecided where there are more states, or the graph was cut.
Waiting look_for_endless_waits(const ir::Program& program, std::uint64_t most_states);

}  // namespace heddle::generate
