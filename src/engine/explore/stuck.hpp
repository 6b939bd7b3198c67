// Threads that wait for ever although others run on: no state that can still be
// reached lets them go. Seen on the graph of all states, as a strongly connected
// part without a way out in which the thread is blocked everywhere.
#pragma once

#include <optional>
#include <vector>

#include "engine/explore/state_table.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

// Whether a thread may wait without somebody in particular who could end the wait. Only then does
// it take the graph of all states to see that it waits for ever.
bool has_unowned_waits(const ir::Program& program);

struct GraphEdge {
  NodeId from = no_node;
  NodeId to = no_node;  // no_node: the process ends
};

// Every move of every thread in every state, and who is blocked there as blocked_threads says.
struct StateGraph {
  std::vector<GraphEdge> edges{};
  std::vector<std::vector<machine::ThreadNumber>> blocked{};  // by node, in order
};

// Those at a false Await, but not those that wait for a thread that is not blocked itself: to wait
// for a lock or a join while the other one runs on, even for ever, is no deadlock.
std::vector<machine::ThreadNumber> blocked_threads(const machine::State& state,
                                                   const machine::Machine& machine);

struct StuckThreads {
  NodeId node = no_node;  // the first state found from where they never move again
  std::vector<machine::ThreadNumber> threads{};
};

std::optional<StuckThreads> find_stuck(const StateTable& nodes, StateGraph graph);

}  // namespace heddle::engine::explore
