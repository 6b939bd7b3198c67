// Sequences of events that are still to be explored from some state, as a tree
// (wake-up trees of Abdulla, Aronis, Jonsson and Sagonas, "Source Sets: A Foundation
// for Optimal Dynamic Partial Order Reduction", 2017). Each leaf is an execution that
// no earlier one is equivalent to, which is what makes the search optimal.
#pragma once

#include <vector>

#include "engine/explore/stateless/footprint.hpp"

namespace heddle::engine::explore {

struct Branch {
  Action action{};
  std::vector<Branch> after{};  // empty: anything may follow
};

using Sequence = std::vector<const Action*>;

// Whether the action could come first: it is in the sequence and nothing before it there is in its
// way, or it is not there and commutes with all of it. One that takes inputs must be there: else
// its thread may take others after the sequence, which executions that begin with it never do.
bool may_come_first(const Action& action, const Sequence& sequence);
// Takes the event of the action's thread that comes first out of the sequence, if there is one.
void drop_first(const Action& action, Sequence& sequence);
// Adds the sequence unless the tree already leads to an equivalent one; false if it does.
bool insert(std::vector<Branch>& tree, Sequence sequence);

}  // namespace heddle::engine::explore
