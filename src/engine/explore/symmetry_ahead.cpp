// What main joins before it does anything that the others can see.
#include <algorithm>
#include <cstring>
#include <utility>
#include <variant>

#include "engine/explore/symmetry.hpp"

namespace heddle::engine::explore {

using machine::Object;
using machine::State;

namespace {

constexpr std::uint64_t joined_mark = 2;  // as heddle_join leaves it
constexpr std::size_t longest_run_ahead = 2000;
constexpr std::uint32_t word_bytes = 4;

}  // namespace

std::vector<std::uint64_t> Symmetry::detached(const View& view) const {
  std::vector<std::uint64_t> words;
  for (const std::size_t index : view.blocks)
    words.push_back(
        field(*view.state.objects()[index].object, facts_.block().detached, word_bytes));
  return words;
}

// Main sees nothing but its own stack and what it reads on the way.
bool Symmetry::still_holds(const Ahead& ahead, const View& view) const {
  if (!(ahead.main == view.state.threads()[0]) || ahead.detached != detached(view)) return false;
  return std::all_of(ahead.read.begin(), ahead.read.end(), [&](const auto& read) {
    const auto place = machine_.memory().find(view.state, read.first);
    return place && place->base == read.first && place->index &&
           view.state.objects()[*place->index].object.hash() == read.second;
  });
}

const std::vector<machine::Address>& Symmetry::joined_ahead(const View& view) {
  std::vector<Ahead>& known = ahead_[view.state.threads()[0].hash()];
  for (const Ahead& ahead : known)
    if (still_holds(ahead, view)) return ahead.joined;
  known.push_back(run_ahead(view));
  return known.back().joined;
}

// Lets main go on as if all threads had ended.
Symmetry::Ahead Symmetry::run_ahead(const View& view) const {
  Ahead ahead{view.state.threads()[0], {}, detached(view), {}};
  State state = view.state;
  for (const std::size_t index : view.blocks) {
    Object& block = state.write_object(index);
    std::memset(block.bytes.data() + facts_.block().running, 0, word_bytes);
  }
  for (std::size_t steps = 0; steps < longest_run_ahead; ++steps) {
    bool moved = false;
    for (const ir::EdgeId edge : machine_.edges(state, 0)) {
      if (!only_joins(state, edge, ahead)) return ahead;
      const auto* store = std::get_if<ir::Store>(&program_.edge(edge).statement);
      const auto access = machine_.access(state, 0, edge);
      const machine::StepResult result = machine_.step(state, 0, edge);
      if (result.outcome == machine::Outcome::pruned) continue;
      if (result.outcome != machine::Outcome::moved || result.violation) return ahead;
      moved = true;
      if (store == nullptr || !access) break;
      const auto place = machine_.memory().find(state, access->address);
      if (place && place->object->allocated_at == facts_.block().allocation)
        ahead.joined.push_back(place->base);
      break;
    }
    if (!moved) return ahead;
  }
  return ahead;
}

// Steps that nobody else can notice, and the accesses of a join. What a thread has returned counts
// as a difference between threads.
bool Symmetry::only_joins(const State& state, ir::EdgeId next, Ahead& ahead) const {
  const ir::Statement& statement = program_.edge(next).statement;
  if (std::holds_alternative<ir::Atomic>(statement)) return true;
  if (std::holds_alternative<ir::Fail>(statement) || std::holds_alternative<ir::Spawn>(statement) ||
      std::holds_alternative<ir::Exit>(statement) || std::holds_alternative<ir::Havoc>(statement) ||
      std::holds_alternative<ir::Unsupported>(statement))
    return false;
  if (!locality_.access(next)) return locality_.local(state, 0, next);
  const auto access = machine_.access(state, 0, next);
  if (!access) return false;
  const auto place = machine_.memory().find(state, access->address);
  if (!place || !place->index) return false;
  const SymmetryFacts::Block& block = facts_.block();
  if (place->object->allocated_at != block.allocation) {
    const bool known = std::any_of(ahead.read.begin(), ahead.read.end(),
                                   [&](const auto& read) { return read.first == place->base; });
    if (!known) ahead.read.emplace_back(place->base, state.objects()[*place->index].object.hash());
    return locality_.local(state, 0, next);
  }
  if (const auto* store = std::get_if<ir::Store>(&statement))
    return place->offset == block.detached && access->size == word_bytes &&
           machine_.evaluate(state, 0, store->value) == joined_mark;
  const bool reads =
      std::holds_alternative<ir::Load>(statement) || std::holds_alternative<ir::Await>(statement);
  return reads && access->size == word_bytes &&
         (place->offset == block.running || place->offset == block.detached);
}

}  // namespace heddle::engine::explore
