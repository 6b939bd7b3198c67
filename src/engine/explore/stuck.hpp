// Threads that wait for ever although others run on: no state that can still be
// reached lets them go. Seen on the graph of all states, as a strongly connected
// part without a way out in which the thread is blocked everywhere.
#pragma once

#include <optional>
#include <vector>

#include "engine/explore/state_table.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

struct GraphEdge {
  NodeId from = no_node;
  NodeId to = no_node;  // no_node: the process ends
};

struct StuckThreads {
  NodeId node = no_node;  // the first state found from where they never move again
  std::vector<machine::ThreadNumber> threads{};
};

// `edges` must be complete: every move of every thread in every state.
std::optional<StuckThreads> find_stuck(const StateTable& nodes, std::vector<GraphEdge> edges,
                                       const machine::Machine& machine);

}  // namespace heddle::engine::explore
