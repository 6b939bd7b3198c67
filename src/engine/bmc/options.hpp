// What the bounded model checker may be told, and what it counts. Every reduction
// has a switch here, so that tests can compare runs with and without it.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::engine::bmc {

enum class Encoding {
  theory,  // an ordering theory inside the SAT solver
  clocks,  // a clock of several bits for each event, plain SAT: the second opinion
};

enum class Switch { on, off };

struct Options {
  Encoding encoding = Encoding::theory;
  // Rounds of a loop whose end is not known beforehand, and depth of recursion.
  std::vector<std::uint32_t> bounds{1, 2, 3, 4, 6, 8, 11, 16, 24, 36, 64, 110, 200};
  std::uint32_t free_iterations = 20'000;  // of a loop that decides by constants when to stop
  std::uint32_t most_nodes = 30'000;       // of one unfolding
  std::uint32_t most_threads = 300;
  std::uint32_t most_elements = 300;    // of an array that an unknown index may lead to
  std::uint32_t largest_block = 256;    // bytes of an object whose size is not constant
  Switch drop_spinning = Switch::on;    // rounds of a loop that change nothing are left out
  Switch drop_wake_ups = Switch::on;    // of several spurious wake-ups in a row all but one
  Switch prune_sources = Switch::on;    // writes that a read cannot see are left out
  Switch narrow_reads = Switch::on;     // reads give only what somebody writes there
  Switch shorten = Switch::on;          // traces
  Switch cut_large_loops = Switch::on;  // at low bounds, even where all of their rounds are known
  Switch local_memory = Switch::on;     // memory that nobody else writes is no matter of order
};

// A low bound is for finding errors fast, so it also limits what could be unrolled fully.
// Threads that start at one place of the program; further ones exist but never run.
constexpr std::uint32_t threads_at(std::uint32_t bound) {
  return bound < 3 ? 3 * bound : 4 * bound;
}
constexpr std::uint32_t loop_nodes_at(std::uint32_t bound) {
  return bound > 8 ? UINT32_MAX : 30 * bound * bound + 30;
}

struct Statistics {
  std::uint32_t bound = 0;    // the last one tried
  std::uint32_t cleared = 0;  // the last one at which nothing breaks the property
  std::uint32_t rounds = 0;   // symbolic executions, over all bounds
  std::uint64_t threads = 0;  // of the last unfolding, as all below
  std::uint64_t nodes = 0;
  std::uint64_t events = 0;
  std::uint64_t sources = 0;         // (write, read) pairs given to the solver
  std::uint64_t pruned_sources = 0;  // left out
  std::uint64_t spins_dropped = 0;
  std::uint64_t wake_ups_dropped = 0;
  std::uint64_t reads_narrowed = 0;  // to fewer bits than the cell has
  std::uint64_t local_reads = 0;     // of memory that is no matter of order
  std::uint64_t terms = 0;
  std::uint64_t gates = 0;
  std::uint64_t unreplayed = 0;       // assignments that were no execution
  std::uint64_t conflicts = 0;        // of the solver, over all bounds
  std::uint64_t conflicts_below = 0;  // of these, at bounds before the last one
};

}  // namespace heddle::engine::bmc
