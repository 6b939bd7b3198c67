// From a seed to a small concurrent C program. Same seed, same text, everywhere.
#pragma once

#include <cstdint>

#include "generate/program.hpp"

namespace heddle::generate {

enum class Size {
  full,   // as much as the oracle can go through
  small,  // fewer parts and steps: for what is slower than the oracle
  tiny,   // one part, and fewer steps: for what is slower still
  alike,  // small, and all threads but main do the same
  many,   // one part, and three threads that take few steps each
  mixed,  // many for every fourth seed, else full
};

// The program is self-contained C for gcc -pthread, except for reach_error and the
// __VERIFIER_ functions. It terminates under a fair scheduler unless it deadlocks or its own
// mistake keeps a spinning thread waiting; it takes no input but single bits.
Program generate(std::uint64_t seed, Size size = Size::full);

}  // namespace heddle::generate
