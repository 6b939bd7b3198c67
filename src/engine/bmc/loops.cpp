#include "engine/bmc/loops.hpp"

#include <algorithm>
#include <limits>
#include <set>

namespace heddle::engine::bmc {

// Strongly connected components in topological order; inside of each, the edges back to its head
// are taken away and the rest is decomposed again.
struct Loops::Decomposition {
  const ir::Program& program;
  Loops& loops;
  std::uint32_t next_position = 0;
  std::vector<std::uint32_t> level{};  // by index: how many loops the location is known to be in

  static constexpr std::uint32_t unseen = std::numeric_limits<std::uint32_t>::max();
  struct Visit {
    std::uint32_t number = unseen, lowest = 0;
    bool open = false;
  };
  using Component = std::vector<ir::LocId>;

  // Tarjan's algorithm from `start` over the locations of one level, without entering `head`.
  std::vector<Component> components(ir::LocId start, std::uint32_t depth, ir::LocId head) {
    std::vector<Visit> visits(loops.places_.size());
    std::vector<Component> found;  // in reverse topological order
    std::vector<ir::LocId> open;
    struct Frame {
      ir::LocId at;
      std::size_t next = 0;
    };
    std::vector<Frame> stack;
    std::uint32_t number = 0;
    const auto enter = [&](ir::LocId at) {
      visits[loops.index(at)] = {number, number, true};
      ++number;
      open.push_back(at);
      stack.push_back({at});
    };
    enter(start);
    while (!stack.empty()) {
      const ir::LocId at = stack.back().at;
      Visit& mine = visits[loops.index(at)];
      const auto out = program.out(at);
      if (stack.back().next < out.size()) {
        const ir::LocId to = program.edge(out[stack.back().next++]).to;
        if (!to.valid() || to == head ||
            program.location(to).function != program.location(start).function)
          continue;
        const Visit& other = visits[loops.index(to)];
        if (level[loops.index(to)] < depth) continue;  // outside of this loop
        if (other.number == unseen)
          enter(to);
        else if (other.open)
          mine.lowest = std::min(mine.lowest, other.number);
        continue;
      }
      if (mine.lowest == mine.number) {
        Component component;
        ir::LocId member;
        do {
          member = open.back();
          open.pop_back();
          visits[loops.index(member)].open = false;
          component.push_back(member);
        } while (member != at);
        found.push_back(std::move(component));
      }
      stack.pop_back();
      if (!stack.empty()) {
        Visit& parent = visits[loops.index(stack.back().at)];
        parent.lowest = std::min(parent.lowest, visits[loops.index(at)].lowest);
      }
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

  bool loops_to_itself(ir::LocId at) const {
    return std::any_of(program.out(at).begin(), program.out(at).end(),
                       [&](ir::EdgeId edge) { return program.edge(edge).to == at; });
  }

  // `component` was entered at its last member: the root of Tarjan's search, which is the head.
  void decompose(const std::vector<Component>& components, std::vector<ir::LocId> heads) {
    for (const Component& component : components) {
      const ir::LocId head = component.back();
      Place& place = loops.places_[loops.index(head)];
      place.position = next_position++;
      place.heads = heads;
      if (component.size() == 1 && !loops_to_itself(head)) continue;
      place.heads.push_back(head);
      const auto depth = static_cast<std::uint32_t>(place.heads.size());
      for (const ir::LocId member : component) level[loops.index(member)] = depth;
      std::vector<Component> inner = this->components(head, depth, head);
      inner.erase(inner.begin());  // the head itself, alone now
      decompose(inner, loops.places_[loops.index(head)].heads);
    }
  }
};

Loops::Loops(const ir::Program& program, ir::FunId function) {
  const ir::Function& body = program.function(function);
  std::uint32_t last = 0;
  first_ = body.entry.value;
  for (const ir::LocId at : body.locations) {
    first_ = std::min(first_, at.value);
    last = std::max(last, at.value);
  }
  index_.assign(last - first_ + 1, 0);
  for (std::uint32_t i = 0; i < body.locations.size(); ++i)
    index_[body.locations[i].value - first_] = i;
  places_.resize(body.locations.size());
  Decomposition decomposition{program, *this, 0, std::vector<std::uint32_t>(places_.size(), 0)};
  decomposition.decompose(decomposition.components(body.entry, 0, ir::LocId::none()), {});
}

std::size_t Loops::common(ir::LocId from, ir::LocId to) const {
  const std::vector<ir::LocId>&a = around(from), &b = around(to);
  std::size_t count = 0;
  while (count < a.size() && count < b.size() && a[count] == b[count]) ++count;
  return count;
}

LocKey Loops::key(ir::LocId at, const std::vector<std::uint32_t>& rounds) const {
  LocKey key;
  const Place& here = place(at);
  for (std::size_t i = 0; i < here.heads.size(); ++i) {
    key.push_back(place(here.heads[i]).position);
    key.push_back(rounds[i]);
  }
  key.push_back(here.position);
  return key;
}

}  // namespace heddle::engine::bmc
