#include "engine/explore/stateless/footprint.hpp"

#include <algorithm>

namespace heddle::engine::explore {

bool Footprint::writes() const {
  return everything || spawned > 0 ||
         std::any_of(touched.begin(), touched.end(),
                     [](const Touched& touch) { return touch.kind == AccessKind::write; });
}

// A loop inside of an atomic section touches the same place again and again.
void Footprint::add(const Touched& touch) {
  if (std::find(touched.begin(), touched.end(), touch) == touched.end()) touched.push_back(touch);
}

bool dependent(const Footprint& a, const Footprint& b) {
  if (a.everything || b.everything) return !a.empty() && !b.empty();
  for (const Touched& x : a.touched)
    for (const Touched& y : b.touched)
      if (conflicting(x, y)) return true;
  return false;
}

bool dependent(const Action& a, const Action& b) {
  return a.thread == b.thread || a.footprint->creates(b.thread) || b.footprint->creates(a.thread) ||
         dependent(*a.footprint, *b.footprint);
}

}  // namespace heddle::engine::explore
