#include "check/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "check/cubes.hpp"
#include "check/formula.hpp"
#include "check/symbolic_step.hpp"
#include "smt/bitblast.hpp"
#include "smt/cadical.hpp"

namespace heddle::check {
namespace {

using smt::Term;
using verdict::InductiveInvariant;

bool ends_path(const ir::Statement& statement) {
  return std::holds_alternative<ir::Return>(statement) ||
         std::holds_alternative<ir::Exit>(statement) ||
         std::holds_alternative<ir::Unsupported>(statement);
}

class InvariantCheck {
 public:
  InvariantCheck(const ir::Program& program, const verdict::Property& property,
                 const InductiveInvariant& invariant, const base::Budget& budget)
      : program_(program),
        property_(property),
        invariant_(invariant),
        budget_(budget),
        memory_(program) {}

  InvariantResult run() {
    const ir::LocId entry = program_.function(program_.entry()).entry;
    if (!well_formed()) return result_;
    for (const auto& [at, formula] : invariant_.at) cuts_[at] = formula;
    if (!order_locations(entry)) return result_;
    if (!keeps(entry, nullptr)) return result_;
    for (const auto& [at, formula] : cuts_)
      for (const Cube& cube : cubes_of(invariant_, formula))
        if (!keeps(at, &cube)) return result_;
    result_.confirmed = true;
    return result_;
  }

 private:
  bool refuse(std::string reason, verdict::Gap gap = verdict::Gap::bound) {
    result_.gap = gap;
    result_.reason = std::move(reason);
    return false;
  }

  bool well_formed();
  bool well_formed(const verdict::Cell& cell) const;
  bool well_formed(const verdict::Formula& formula, std::size_t index) const;
  bool order_locations(ir::LocId entry);

  // One start: all paths from a place up to the next cut points.
  struct Block {
    smt::Terms terms{};
    std::unique_ptr<SymbolicStep> step{};
    std::map<std::uint32_t, std::vector<SymbolicState>> waiting{};  // by position in the order
    std::vector<Wrong> wrongs{};  // where the invariant does not hold at the end of a path
    std::vector<Term> assumed{};
  };
  bool keeps(ir::LocId from, const Cube* cube);
  bool assume(Block& block, SymbolicState& state, const Cube& cube);
  bool follow(Block& block, ir::LocId from, SymbolicState state);
  bool leave(Block& block, ir::LocId at, const SymbolicState& state);
  bool arrive(Block& block, ir::EdgeId edge, SymbolicState state);
  bool told_apart(const Block& block, const SymbolicState& a, const SymbolicState& b) const;
  bool ask(Block& block);
  InvariantReader reader(Block& block) const {
    return {program_, invariant_, allocation_of_, block.terms};
  }

  const ir::Program& program_;
  const verdict::Property& property_;
  const InductiveInvariant& invariant_;
  const base::Budget& budget_;
  const machine::Memory memory_;
  std::map<ir::LocId, std::uint32_t> cuts_{};
  std::map<ir::LocId, std::uint32_t> position_{};  // in an order that paths between cuts follow
  std::vector<ir::LocId> order_{};
  std::vector<std::size_t> allocation_of_{};  // by variable
  InvariantResult result_{};
};

bool InvariantCheck::well_formed(const verdict::Cell& cell) const {
  std::uint64_t size = 0;
  if (cell.global.valid()) {
    if (cell.global.value >= program_.globals().size()) return false;
    size = program_.type(program_.global(cell.global).type).size;
  } else {
    if (cell.allocation.value >= program_.edges().size()) return false;
    const auto* alloc = std::get_if<ir::Alloc>(&program_.edge(cell.allocation).statement);
    if (alloc == nullptr || program_.expr(alloc->size).op != ir::Op::constant) return false;
    size = program_.expr(alloc->size).payload;
  }
  const bool whole = cell.bytes == 1 || cell.bytes == 2 || cell.bytes == 4 || cell.bytes == 8;
  return whole && cell.bytes <= size && cell.offset <= size - cell.bytes;
}

bool InvariantCheck::well_formed(const verdict::Formula& formula, std::size_t index) const {
  using Kind = verdict::Formula::Kind;
  if (formula.kind == Kind::negation && formula.operands.size() != 1) return false;
  if (formula.kind == Kind::divisible && formula.divisor <= 0) return false;
  for (const std::uint32_t operand : formula.operands)
    if (operand >= index) return false;
  for (const auto& [factor, variable] : formula.sum)
    if (variable >= invariant_.variables.size()) return false;
  return true;
}

bool InvariantCheck::well_formed() {
  smt::Terms terms;
  const std::vector<verdict::Cell> none;
  const SymbolicStep step(program_, memory_, property_, none, terms);
  for (const verdict::Cell& cell : invariant_.cells)
    if (!well_formed(cell)) return refuse("a cell of the invariant is in no object");
  for (const verdict::Cell& a : invariant_.cells)
    for (const verdict::Cell& b : invariant_.cells)
      if (&a != &b && a.global == b.global && a.allocation == b.allocation &&
          a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes)
        return refuse("cells of the invariant overlap");
  for (const verdict::Variable& variable : invariant_.variables) {
    using Kind = verdict::Variable::Kind;
    allocation_of_.push_back(0);
    if (variable.kind == Kind::reg) {
      if (variable.reg.value >= program_.registers().size() ||
          program_.reg(variable.reg).function != program_.entry())
        return refuse("a register of the invariant is none of the program");
    } else if (variable.kind == Kind::cell || variable.kind == Kind::is_set) {
      if (variable.cell >= invariant_.cells.size()) return refuse("a cell does not exist");
    } else {
      const std::optional<std::size_t> index = step.allocation_index(variable.allocation);
      if (!index) return refuse("an allocation of the invariant is none of the program");
      allocation_of_.back() = *index;
    }
  }
  for (std::size_t i = 0; i < invariant_.formulas.size(); ++i)
    if (!well_formed(invariant_.formulas[i], i)) return refuse("a formula is malformed");
  for (const auto& [at, formula] : invariant_.at)
    if (at.value >= program_.locations().size() ||
        program_.location(at).function != program_.entry() || formula >= invariant_.formulas.size())
      return refuse("a cut point is none of the program");
  return true;
}

// Depth first; fails if a cycle passes no cut point.
bool InvariantCheck::order_locations(ir::LocId entry) {
  enum class Mark : std::uint8_t { open, done };
  std::map<ir::LocId, Mark> marks;
  std::vector<ir::LocId> finished;
  std::vector<ir::LocId> starts{entry};
  for (const auto& [at, formula] : cuts_) starts.push_back(at);
  for (const ir::LocId start : starts) {
    if (marks.contains(start)) continue;
    std::vector<std::pair<ir::LocId, std::size_t>> path{{start, 0}};
    marks[start] = Mark::open;
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == program_.out(at).size()) {
        marks[at] = Mark::done;
        finished.push_back(at);
        path.pop_back();
        continue;
      }
      const ir::Edge& edge = program_.edge(program_.out(at)[next++]);
      const ir::LocId to = edge.to;
      if (cuts_.contains(to) || ends_path(edge.statement)) continue;
      const auto seen = marks.find(to);
      if (seen != marks.end() && seen->second == Mark::open)
        return refuse("a loop has no cut point");
      if (seen != marks.end()) continue;
      marks[to] = Mark::open;
      path.push_back({to, 0});
    }
  }
  order_.assign(finished.rbegin(), finished.rend());
  for (std::uint32_t i = 0; i < order_.size(); ++i) position_[order_[i]] = i;
  return true;
}

// ---- one block -------------------------------------------------------------------

// Without a cube: from the program's start.
bool InvariantCheck::keeps(ir::LocId from, const Cube* cube) {
  if (budget_.out_of_time() || budget_.out_of_memory())
    return refuse("no time or memory was left to check the invariant", verdict::Gap::time);
  Block block;
  block.step =
      std::make_unique<SymbolicStep>(program_, memory_, property_, invariant_.cells, block.terms);
  SymbolicState state = cube != nullptr ? block.step->arbitrary() : block.step->initial();
  if (cube != nullptr) {
    if (!assume(block, state, *cube)) return result_.reason.empty();
    block.step->assume_apart(state);
  } else if (cuts_.contains(from)) {
    const std::optional<Term> holds = reader(block).formula(state, cuts_.at(from));
    if (!holds) return refuse("a formula of the invariant is too large");
    block.wrongs.push_back({block.terms.not_(*holds), {}, "the invariant does not hold at first"});
    return ask(block);
  }
  return follow(block, from, std::move(state)) && ask(block);
}

// Whether any state is left; what a cube says of single variables is put in their place.
bool InvariantCheck::assume(Block& block, SymbolicState& state, const Cube& cube) {
  InvariantReader read = reader(block);
  for (const std::uint32_t index : cube) {
    const verdict::Formula& part = invariant_.formulas[index];
    if (part.kind != verdict::Formula::Kind::is_zero) continue;
    if (!substitute(block.terms, read, invariant_, part, state)) return false;
  }
  for (const std::uint32_t index : cube) {
    const std::optional<Term> holds = read.formula(state, index);
    if (!holds) return refuse("a formula of the invariant is too large");
    if (block.terms.is_false(*holds)) return false;
    block.assumed.push_back(*holds);
  }
  return true;
}

bool InvariantCheck::follow(Block& block, ir::LocId from, SymbolicState state) {
  if (!leave(block, from, state)) return false;
  while (!block.waiting.empty()) {
    const auto first = block.waiting.begin();
    const ir::LocId at = order_[first->first];
    const std::vector<SymbolicState> states = std::move(first->second);
    block.waiting.erase(first);
    for (const SymbolicState& here : states)
      if (!leave(block, at, here)) return false;
  }
  return true;
}

bool InvariantCheck::leave(Block& block, ir::LocId at, const SymbolicState& state) {
  Term taken = block.terms.no();
  const bool branches = program_.out(at).size() > 1;
  for (const ir::EdgeId edge : program_.out(at)) {
    SymbolicState next = state;
    const bool goes_on = block.step->take(next, edge);
    if (block.terms.is_false(next.guard)) continue;
    const auto* assume = std::get_if<ir::Assume>(&program_.edge(edge).statement);
    // A condition over floating-point numbers may hold or not, whatever the others do.
    if (branches && assume != nullptr && block.step->translate(state, assume->condition)) {
      block.step->exclude(edge, block.terms.and_(taken, next.guard));
      taken = block.terms.or_(taken, next.guard);
    }
    if (goes_on && !arrive(block, edge, std::move(next))) return false;
  }
  return true;
}

bool InvariantCheck::told_apart(const Block& block, const SymbolicState& a,
                                const SymbolicState& b) const {
  const InvariantReader read(program_, invariant_, allocation_of_,
                             const_cast<smt::Terms&>(block.terms));
  for (std::uint32_t i = 0; i < invariant_.variables.size(); ++i) {
    const Term left = read.variable(a, i), right = read.variable(b, i);
    if (left != right && block.terms.is_constant(left) && block.terms.is_constant(right))
      return true;
  }
  return false;
}

bool InvariantCheck::arrive(Block& block, ir::EdgeId edge, SymbolicState state) {
  const ir::LocId to = program_.edge(edge).to;
  if (const auto cut = cuts_.find(to); cut != cuts_.end()) {
    const std::optional<Term> holds = reader(block).formula(state, cut->second);
    if (!holds) return refuse("a formula of the invariant is too large");
    const Term broken = block.terms.and_(state.guard, block.terms.not_(*holds));
    if (!block.terms.is_false(broken))
      block.wrongs.push_back({broken, edge, "a step does not keep the invariant"});
    return true;
  }
  // States that the invariant tells apart stay apart, so that their numbers stay known.
  constexpr std::size_t most_apart = 64;
  std::vector<SymbolicState>& states = block.waiting[position_.at(to)];
  for (SymbolicState& other : states)
    if (states.size() >= most_apart || !told_apart(block, other, state)) {
      block.step->merge(other, state);
      return true;
    }
  states.push_back(std::move(state));
  return true;
}

bool InvariantCheck::ask(Block& block) {
  std::vector<Wrong> wrongs = block.step->wrongs();
  wrongs.insert(wrongs.end(), block.wrongs.begin(), block.wrongs.end());
  if (wrongs.empty()) return true;
  const std::unique_ptr<smt::Sat> sat = smt::make_cadical();
  smt::BitBlaster blaster(block.terms, *sat);
  for (const Term term : block.assumed) sat->add_clause({blaster.literal(term)});
  std::vector<smt::Lit> any;
  for (const Wrong& wrong : wrongs) any.push_back(blaster.literal(wrong.when));
  sat->add_clause(any);
  ++result_.questions;
  smt::SatAnswer answer = sat->solve({}, budget_);
  // Where objects lie matters seldom, and costs much.
  if (answer == smt::SatAnswer::sat && !block.step->facts().empty()) {
    for (const Term term : block.step->facts()) sat->add_clause({blaster.literal(term)});
    answer = sat->solve({}, budget_);
  }
  if (answer == smt::SatAnswer::unsat) return true;
  if (answer == smt::SatAnswer::out_of_budget)
    return refuse("no time or memory was left to check the invariant", verdict::Gap::time);
  for (const Wrong& wrong : wrongs)
    if (blaster.value(wrong.when) != 0)
      return refuse(
          wrong.edge.valid() && program_.edge(wrong.edge).source.known()
              ? fmt::format("{} (line {})", wrong.what, program_.edge(wrong.edge).source.line)
              : wrong.what);
  return refuse("the invariant is not inductive");
}

}  // namespace

InvariantResult check_invariant(const ir::Program& program, const verdict::Property& property,
                                const InductiveInvariant& invariant, const base::Budget& budget) {
  return InvariantCheck(program, property, invariant, budget).run();
}

}  // namespace heddle::check
