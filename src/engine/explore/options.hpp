// What the explorer may be told, and what it counts. Every reduction has a switch
// here, so that tests can compare a reduced search with an unreduced one.
#pragma once

#include <cstdint>

namespace heddle::engine::explore {

enum class LocalSteps {
  on,   // steps that no other thread can notice are taken at once, without interleaving
  off,  // every step is interleaved with every other
};

enum class PersistentSteps {
  on,  // so are steps that nobody else may still interfere with; needs local steps
  off,
};

enum class Shortening { on, off };

struct Options {
  LocalSteps local_steps = LocalSteps::on;
  PersistentSteps persistent_steps = PersistentSteps::on;
  Shortening shortening = Shortening::on;
  // Steps of one thread in a row before the others get a turn.
  std::uint64_t chain_limit = 20'000;
};

struct Statistics {
  std::uint64_t states = 0;            // stored, over all rounds
  std::uint64_t steps = 0;             // taken on the machine
  std::uint64_t reduced_steps = 0;     // of these, without interleaving
  std::uint64_t persistent_steps = 0;  // of these, on memory that others share
  std::uint64_t depth = 0;             // longest execution, in steps
  std::uint64_t misled_searches = 0;   // begun again because static facts were wrong
  std::uint64_t rounds = 0;            // searches with more and more input values
};

}  // namespace heddle::engine::explore
