// From a seed to a small concurrent C program. Same seed, same text, everywhere.
#pragma once

#include <cstdint>

#include "generate/program.hpp"

namespace heddle::generate {

// The program is self-contained C for gcc -pthread, except for reach_error and the
// __VERIFIER_ functions. It terminates under a fair scheduler unless it deadlocks or its own
// mistake keeps a spinning thread waiting; it takes no input but single bits.
Program generate(std::uint64_t seed);

}  // namespace heddle::generate
