#include "engine/sequential/explorer.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "passes/operands.hpp"

namespace heddle::engine::sequential {
namespace {

constexpr std::size_t most_computed = 4;      // values of a variable that arithmetic makes
constexpr std::size_t most_numbers = 300;     // values of a variable in all
constexpr std::size_t few_numbers = 3;        // fewer do not make a program counter
constexpr std::size_t most_waiting = 64;      // states kept apart at one place inside a block
constexpr std::size_t nodes_after_news = 50;  // explored to learn more before it is begun again

}  // namespace

Explorer::Explorer(const ir::Program& program, const verdict::Property& property, MemoryMap& map,
                   const Options& options)
    : program_(program),
      property_(property),
      map_(map),
      options_(options),
      registers_(static_cast<std::uint32_t>(program.function(program.entry()).registers.size())) {
  order_locations();
  const passes::Liveness liveness(program, program.entry());
  for (const ir::LocId at : program.function(program.entry()).locations)
    for (const ir::RegId reg : program.function(program.entry()).registers)
      live_[at].push_back(liveness.live(at, reg));
}

// Depth first. Loop heads are where the search comes back to, so without them there is no cycle.
void Explorer::order_locations() {
  const ir::Function& function = program_.function(program_.entry());
  std::vector<ir::LocId> finished, starts{function.entry};
  for (const ir::LocId at : function.locations)
    if (program_.location(at).loop_head) {
      cuts_.insert(at);
      starts.push_back(at);
    }
  std::set<ir::LocId> seen;
  for (const ir::LocId start : starts) {
    if (!seen.insert(start).second) continue;
    std::vector<std::pair<ir::LocId, std::size_t>> path{{start, 0}};
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == program_.out(at).size()) {
        finished.push_back(at);
        path.pop_back();
        continue;
      }
      const ir::Edge& edge = program_.edge(program_.out(at)[next++]);
      ++ways_in_[edge.to];
      if (cuts_.contains(edge.to) || passes::ends_path(edge.statement)) continue;
      if (seen.insert(edge.to).second) path.push_back({edge.to, 0});
    }
  }
  order_.assign(finished.rbegin(), finished.rend());
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
}

auto Explorer::explore(Arithmetic& arithmetic, Splitting splitting, const base::Budget& budget)
    -> Outcome {
  splitting_ = splitting;
  map_.make_bases(arithmetic);
  for (;;) {
    ++explorations_;
    changed_ = false;
    map_.settle();
    Executor executor(program_, property_, map_, arithmetic);
    switch (round(executor, arithmetic, budget)) {
      case Round::done:
        return Outcome::done;
      case Round::again:
        break;
      case Round::too_many:
        return Outcome::too_many;
      case Round::out_of_budget:
        return Outcome::out_of_budget;
    }
  }
}

auto Explorer::round(Executor& executor, Arithmetic& arithmetic, const base::Budget& budget)
    -> Round {
  graph_ = {};
  known_.clear();
  Block first;
  run_block(executor, arithmetic, first, program_.function(program_.entry()).entry,
            executor.initial());
  std::size_t news = 0;
  for (std::size_t next = 0; next < graph_.nodes.size(); ++next) {
    if (budget.out_of_time() || (next % 64 == 0 && budget.out_of_memory()))
      return Round::out_of_budget;
    if ((changed_ || map_.grown()) && ++news > nodes_after_news) return Round::again;
    if (graph_.nodes.size() > options_.most_nodes)
      return changed_ || map_.grown() ? Round::again : Round::too_many;
    Block block;
    block.from = next;
    const State state = graph_.nodes[next].state;
    run_block(executor, arithmetic, block, graph_.nodes[next].at, state);
  }
  return changed_ || map_.grown() ? Round::again : Round::done;
}

// ---- one block -------------------------------------------------------------------

void Explorer::run_block(Executor& executor, Arithmetic& arithmetic, Block& block, ir::LocId at,
                         State state) {
  if (!block.from && cuts_.contains(at)) {
    const Key key = key_of(arithmetic, state, at);
    block.arrived.emplace(std::pair(at.value, key), std::move(state));
    return finish(executor, arithmetic, block);
  }
  leave(executor, arithmetic, block, at, std::move(state));
  while (!block.waiting.empty()) {
    const auto first = block.waiting.begin();
    const ir::LocId here = order_[first->first];
    Waiting states = std::move(first->second);
    block.waiting.erase(first);
    for (auto& [key, waiting] : states)
      leave(executor, arithmetic, block, here, std::move(waiting));
  }
  finish(executor, arithmetic, block);
}

// The edges of a branch whose condition is not false; states are large, and most are.
std::vector<ir::EdgeId> Explorer::open_edges(Arithmetic& arithmetic, ir::LocId at,
                                             const State& state) const {
  std::vector<ir::EdgeId> open;
  for (const ir::EdgeId edge : program_.out(at)) {
    const auto* assume = std::get_if<ir::Assume>(&program_.edge(edge).statement);
    if (assume == nullptr ||
        !arithmetic.integers().is_no(arithmetic.condition(assume->condition, state.registers)))
      open.push_back(edge);
  }
  return open;
}

// Goes on to places that have one way in; others wait for the rest of the ways.
void Explorer::leave(Executor& executor, Arithmetic& arithmetic, Block& block, ir::LocId at,
                     State state) {
  std::vector<std::pair<ir::LocId, State>> todo;
  todo.emplace_back(at, std::move(state));
  while (!todo.empty()) {
    auto [from, here] = std::move(todo.back());
    todo.pop_back();
    const std::vector<ir::EdgeId> open = open_edges(arithmetic, from, here);
    for (std::size_t i = open.size(); i-- > 0;) {
      const ir::LocId to = program_.edge(open[i]).to;
      State next = i == 0 ? std::move(here) : here;
      const bool goes_on = executor.take(next, open[i]);
      if (!goes_on || arithmetic.integers().is_no(next.guard)) continue;
      if (ways_in_.at(to) == 1 && !cuts_.contains(to))
        todo.emplace_back(to, std::move(next));
      else
        arrive(arithmetic, block, to, std::move(next));
    }
  }
}

void Explorer::arrive(Arithmetic& arithmetic, Block& block, ir::LocId at, State state) {
  Key key = key_of(arithmetic, state, at);
  if (cuts_.contains(at)) {
    const auto found = block.arrived.find({at.value, key});
    if (found == block.arrived.end())
      block.arrived.emplace(std::pair(at.value, std::move(key)), std::move(state));
    else
      merge(arithmetic, found->second, state, key);
    return;
  }
  Waiting& waiting = block.waiting[position_.at(at)];
  auto found = waiting.find(key);
  if (found == waiting.end() && waiting.size() >= most_waiting) {
    found = waiting.begin();
    std::fill(key.begin(), key.end(), key_unknown);
  }
  if (found == waiting.end())
    waiting.emplace(std::move(key), std::move(state));
  else
    merge(arithmetic, found->second, state, key);
}

void Explorer::finish(Executor& executor, Arithmetic& arithmetic, Block& block) {
  for (Wrong& wrong : executor.take_wrongs())
    if (!arithmetic.integers().is_no(wrong.when))
      graph_.transitions.push_back(
          {block.from, std::nullopt, wrong.when, {}, wrong.edge, std::move(wrong.what)});
  for (const auto& [where, state] : block.arrived) {
    const std::size_t to = node_at(arithmetic, {where.first}, where.second, state);
    Transition step{block.from, to, state.guard, {}, {}, {}};
    for (const VariableIndex variable : graph_.nodes[to].arguments)
      step.arguments.push_back(value_of(state, variable).expr);
    graph_.transitions.push_back(std::move(step));
  }
}

// Where the key says that a variable is dead or the same, nothing is to be chosen.
void Explorer::merge(Arithmetic& arithmetic, State& state, const State& other, const Key& key) {
  const auto join = [&](Value& mine, const Value& theirs) {
    if (mine.expr == theirs.expr) return;
    mine = arithmetic.choose(other.guard, theirs, mine);
  };
  for (std::uint32_t i = 0; i < registers_; ++i)
    if (key[i] != key_dead) join(state.registers[i], other.registers[i]);
  for (std::size_t i = 0; i < state.cells.size(); ++i) {
    CellValue &mine = state.cells[i], theirs = other.cells[i];
    if (key[registers_ + i] == key_dead) continue;
    if (mine.contained != theirs.contained) {
      const Shape shape = map_.cells()[i].shape();
      if (mine.contained == Contained::unset) mine.value = arithmetic.any(shape);
      if (theirs.contained == Contained::unset) theirs.value = arithmetic.any(shape);
      mine.contained = Contained::maybe;
    }
    if (mine.contained != Contained::unset) join(mine.value, theirs.value);
  }
  // Only where too many states are merged: an object that may not live cannot be used.
  for (std::size_t i = 0; i < state.lives.size(); ++i)
    if (state.lives[i] != other.lives[i]) state.lives[i] = Life::ended;
  state.guard = arithmetic.integers().either(state.guard, other.guard);
}

// ---- nodes -----------------------------------------------------------------------

const Value& Explorer::value_of(const State& state, VariableIndex variable) const {
  return variable < registers_ ? state.registers[variable]
                               : state.cells[variable - registers_].value;
}

Value& Explorer::value_of(State& state, VariableIndex variable) const {
  return variable < registers_ ? state.registers[variable]
                               : state.cells[variable - registers_].value;
}

Shape Explorer::shape_of_variable(VariableIndex variable) const {
  if (variable >= registers_) return map_.cells()[variable - registers_].shape();
  const ir::RegId reg = program_.function(program_.entry()).registers[variable];
  return shape_of(program_.type(program_.reg(reg).type));
}

auto Explorer::name_of(VariableIndex variable) const -> Name {
  if (variable < registers_) return {0, variable};
  const CellInfo& cell = map_.cells()[variable - registers_];
  return {cell.object + 1, cell.offset};
}

std::uint32_t Explorer::entry_of(Arithmetic& arithmetic, VariableIndex variable,
                                 const Value& value) {
  const auto [base, offset] = arithmetic.integers().shifted(value.expr);
  if (base.valid()) return arithmetic.is_base(base) ? value.expr.id : key_unknown;
  // On both data models objects lie above.
  const bool is_address = offset >= static_cast<Wide>(machine::Layout::first_address);
  if (splitting_ == Splitting::addresses) return is_address ? value.expr.id : key_unknown;
  const Name name = name_of(variable);
  if (unsplit_.contains(name)) return key_unknown;
  if (splitting_ != Splitting::all && !is_address) {
    const auto seen = seen_.find(name);
    if (seen != seen_.end() && !seen->second.computed.empty()) return key_unknown;
    if (splitting_ == Splitting::counters &&
        (seen == seen_.end() || seen->second.numbers.size() <= few_numbers))
      return key_unknown;
  }
  return value.expr.id;
}

Key Explorer::key_of(Arithmetic& arithmetic, const State& state, ir::LocId at) {
  Key key;
  key.reserve(registers_ + state.cells.size() + state.lives.size());
  const std::vector<bool>& live = live_.at(at);
  for (VariableIndex i = 0; i < registers_; ++i)
    key.push_back(live[i] ? entry_of(arithmetic, i, state.registers[i]) : key_dead);
  for (std::size_t i = 0; i < state.cells.size(); ++i) {
    const CellValue& cell = state.cells[i];
    const std::size_t object = map_.cells()[i].object;
    const bool lives = object < map_.first_allocation() ||
                       state.lives[object - map_.first_allocation()] == Life::live;
    if (!lives)
      key.push_back(key_dead);
    else if (cell.contained == Contained::unset)
      key.push_back(key_unset);
    else if (cell.contained == Contained::maybe)
      key.push_back(key_maybe_set);
    else
      key.push_back(entry_of(arithmetic, registers_ + static_cast<VariableIndex>(i), cell.value));
  }
  for (const Life life : state.lives) key.push_back(static_cast<std::uint32_t>(life));
  return key;
}

// A variable that takes ever more values is split no longer.
void Explorer::note_value(Arithmetic& arithmetic, VariableIndex variable, const Value& value) {
  if (!arithmetic.integers().is_constant(value.expr)) return;
  const Name name = name_of(variable);
  Seen& seen = seen_[name];
  (value.computed ? seen.computed : seen.numbers).insert(value.low);
  if (seen.computed.size() <= most_computed && seen.numbers.size() <= most_numbers) return;
  if (unsplit_.insert(name).second) changed_ = true;
}

std::size_t Explorer::node_at(Arithmetic& arithmetic, ir::LocId at, const Key& key,
                              const State& state) {
  const std::uint32_t variables = registers_ + static_cast<std::uint32_t>(state.cells.size());
  for (VariableIndex i = 0; i < variables; ++i)
    if (key[i] != key_dead && key[i] < key_maybe_set) note_value(arithmetic, i, value_of(state, i));
  const auto [found, is_new] = known_.try_emplace({at.value, key}, graph_.nodes.size());
  if (!is_new) return found->second;
  Node node{at, key, {}, state};
  node.state.guard = arithmetic.integers().yes();
  for (VariableIndex i = 0; i < variables; ++i) {
    if (key[i] == key_dead || key[i] == key_unset) value_of(node.state, i) = arithmetic.constant(0);
    if (key[i] != key_unknown && key[i] != key_maybe_set) continue;
    value_of(node.state, i) = arithmetic.any(shape_of_variable(i));
    node.arguments.push_back(i);
  }
  graph_.nodes.push_back(std::move(node));
  return found->second;
}

}  // namespace heddle::engine::sequential
