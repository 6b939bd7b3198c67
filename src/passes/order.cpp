#include "passes/order.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace heddle::passes {

using namespace ir;

std::vector<LocId> ends_first(const Program& program, const Function& function) {
  struct Visit {
    LocId at;
    std::size_t next = 0;
  };
  std::vector<LocId> result;
  if (function.locations.empty()) return result;
  const auto [low, high] =
      std::minmax_element(function.locations.begin(), function.locations.end());
  const std::uint32_t first = low->value;
  std::vector<char> seen(high->value - first + 1, 0);
  std::vector<Visit> path;
  const auto enter = [&](LocId at) {
    if (std::exchange(seen[at.value - first], 1) == 0) path.push_back({at});
  };
  enter(function.entry);
  while (!path.empty()) {
    Visit& visit = path.back();
    const auto out = program.out(visit.at);
    if (visit.next < out.size()) {
      enter(program.edge(out[visit.next++]).to);
      continue;
    }
    result.push_back(visit.at);
    path.pop_back();
  }
  return result;
}

}  // namespace heddle::passes
