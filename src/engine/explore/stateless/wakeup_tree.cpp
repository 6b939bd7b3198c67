#include "engine/explore/stateless/wakeup_tree.hpp"

#include <algorithm>

namespace heddle::engine::explore {

bool may_come_first(const Action& action, const Sequence& sequence) {
  for (const Action* other : sequence) {
    if (other->thread == action.thread) return other->inputs == action.inputs;
    if (dependent(*other, action)) return false;
  }
  return action.inputs.empty();
}

void drop_first(const Action& action, Sequence& sequence) {
  const auto at = std::find_if(sequence.begin(), sequence.end(),
                               [&](const Action* other) { return other->thread == action.thread; });
  if (at != sequence.end()) sequence.erase(at);
}

bool insert(std::vector<Branch>& tree, Sequence sequence) {
  std::vector<Branch>* level = &tree;
  while (!sequence.empty()) {
    const auto child = std::find_if(level->begin(), level->end(), [&](const Branch& branch) {
      return may_come_first(branch.action, sequence);
    });
    if (child == level->end()) break;
    if (child->after.empty()) return false;
    drop_first(child->action, sequence);
    level = &child->after;
  }
  if (sequence.empty()) return false;
  for (const Action* action : sequence) {
    level->push_back({*action, {}});
    level = &level->back().after;
  }
  return true;
}

}  // namespace heddle::engine::explore
