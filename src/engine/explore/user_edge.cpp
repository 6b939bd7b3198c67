#include "engine/explore/user_edge.hpp"

#include <algorithm>
#include <variant>

namespace heddle::engine::explore {

using machine::ThreadNumber;

ir::EdgeId user_edge(const ir::Program& program, const machine::State& state, ThreadNumber thread,
                     ir::EdgeId step) {
  const auto& frames = state.thread(thread).frames;
  const auto by_user = std::find_if(frames.rbegin(), frames.rend(), [&](const auto& frame) {
    return program.function(frame->function).origin == ir::Origin::user;
  });
  if (by_user == frames.rbegin() || by_user == frames.rend()) return step;
  const std::span<const ir::Edge> edges = program.edges();
  const auto call = std::find_if(edges.begin(), edges.end(), [&](const ir::Edge& edge) {
    return edge.to == (*by_user)->at && std::holds_alternative<ir::Call>(edge.statement);
  });
  return call == edges.end() ? step : ir::EdgeId{static_cast<std::uint32_t>(call - edges.begin())};
}

}  // namespace heddle::engine::explore
