#include "passes/dead_code.hpp"

#include <set>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "passes/liveness.hpp"
#include "passes/operands.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

// Writes its register and does nothing else.
bool only_writes(const Statement& statement) {
  if (const auto* alloc = std::get_if<Alloc>(&statement)) return alloc->kind == AllocKind::stack;
  return std::holds_alternative<Assign>(statement) || std::holds_alternative<Havoc>(statement) ||
         std::holds_alternative<Self>(statement);
}

bool remove_dead_writes(ProgramBuilder& builder, FunId function) {
  const Liveness liveness(builder.view(), function);
  bool changed = false;
  for (const LocId at : builder.function(function).locations)
    for (const EdgeId id : builder.location(at).out) {
      Edge& edge = builder.edge(id);
      const auto written = written_register(edge.statement);
      if (!written || !only_writes(edge.statement)) continue;
      const auto* assign = std::get_if<Assign>(&edge.statement);
      const bool to_itself = assign != nullptr && assign->value == builder.reg(*written);
      if (!to_itself && liveness.live(edge.to, *written)) continue;
      edge.statement = Skip{};
      changed = true;
    }
  return changed;
}

// Registers whose value something depends on, other than registers on which nothing depends: a
// counter that only counts is none. Otherwise a loop that waits for another thread and counts its
// rounds has a new state in each of them.
std::set<RegId> needed_registers(const Program& program, FunId function) {
  std::set<RegId> needed;
  std::vector<std::pair<RegId, ExprId>> assigned;
  const auto need = [&](ExprId id) {
    for_each_register(program, id, [&](RegId reg) { needed.insert(reg); });
  };
  for (const LocId at : program.function(function).locations)
    for (const EdgeId id : program.out(at)) {
      const Statement& statement = program.edge(id).statement;
      if (const auto* assign = std::get_if<Assign>(&statement)) {
        assigned.emplace_back(assign->to, assign->value);
        continue;
      }
      for_each_operand(statement, need);
      if (const auto* await = std::get_if<Await>(&statement)) need(await->condition);
    }
  for (std::size_t before = 0; before != needed.size();) {
    before = needed.size();
    for (const auto& [to, value] : assigned)
      if (needed.contains(to)) need(value);
  }
  return needed;
}

bool remove_idle_counters(ProgramBuilder& builder, FunId function) {
  const std::set<RegId> needed = needed_registers(builder.view(), function);
  bool changed = false;
  for (const LocId at : builder.function(function).locations)
    for (const EdgeId id : builder.location(at).out) {
      Edge& edge = builder.edge(id);
      const auto* assign = std::get_if<Assign>(&edge.statement);
      if (assign == nullptr || needed.contains(assign->to)) continue;
      edge.statement = Skip{};
      changed = true;
    }
  return changed;
}

// Two Assumes that exclude each other, cover everything and lead to the same place.
bool merge_equal_arms(ProgramBuilder& builder, FunId function) {
  bool changed = false;
  for (const LocId at : builder.function(function).locations) {
    const std::vector<EdgeId> out = builder.location(at).out;
    if (out.size() != 2 || builder.edge(out[0]).to != builder.edge(out[1]).to) continue;
    const ExprId first = std::get<Assume>(builder.edge(out[0]).statement).condition;
    const ExprId second = std::get<Assume>(builder.edge(out[1]).statement).condition;
    if (builder.negation(first) != second && builder.negation(second) != first) continue;
    builder.remove_edge(out[1]);
    builder.edge(out[0]).statement = Skip{};
    changed = true;
  }
  return changed;
}

// Where control gets to from a location by doing nothing. A cycle of Skips is a thread that
// runs forever, and stays one.
LocId past_skips(ProgramBuilder& builder, LocId at) {
  std::set<LocId> seen;
  for (LocId next = at;;) {
    if (!seen.insert(next).second) return next;
    const std::vector<EdgeId>& out = builder.location(next).out;
    if (out.size() != 1 || !std::holds_alternative<Skip>(builder.edge(out[0]).statement))
      return next;
    next = builder.edge(out[0]).to;
  }
}

void bypass_skips(ProgramBuilder& builder, FunId function) {
  builder.set_function_entry(function, past_skips(builder, builder.function(function).entry));
  for (const LocId at : builder.function(function).locations)
    for (const EdgeId id : builder.location(at).out)
      builder.edge(id).to = past_skips(builder, builder.edge(id).to);
}

void remove_unreached_edges(ProgramBuilder& builder, FunId function) {
  std::set<LocId> reached{builder.function(function).entry};
  std::vector<LocId> work(reached.begin(), reached.end());
  while (!work.empty()) {
    const LocId at = work.back();
    work.pop_back();
    for (const EdgeId id : builder.location(at).out)
      if (!ends_path(builder.edge(id).statement) && reached.insert(builder.edge(id).to).second)
        work.push_back(builder.edge(id).to);
  }
  for (const LocId at : builder.function(function).locations)
    if (!reached.contains(at)) builder.location(at).out.clear();
}

// ---- functions -----------------------------------------------------------------

class ReferredFunctions {
 public:
  explicit ReferredFunctions(const Program& program) : program_(program) {
    add(program.entry());
    if (program.main().valid()) add(program.main());
    for (const Global& global : program.globals())
      for (const Initializer& part : global.initializers) add_all(part.value);
    while (!work_.empty()) {
      const FunId at = work_.back();
      work_.pop_back();
      for (const LocId location : program.function(at).locations)
        for (const EdgeId edge : program.out(location))
          for_each_operand(program.edge(edge).statement, [&](ExprId id) { add_all(id); });
    }
  }
  bool contains(FunId id) const { return found_.contains(id); }

 private:
  void add(FunId id) {
    if (found_.insert(id).second) work_.push_back(id);
  }
  void add_all(ExprId id) {
    const Expr& expr = program_.expr(id);
    if (expr.op == Op::function_address) add(FunId{static_cast<std::uint32_t>(expr.payload)});
    for (const ExprId operand : expr.operands()) add_all(operand);
  }

  const Program& program_;
  std::set<FunId> found_{};
  std::vector<FunId> work_{};
};

}  // namespace

Program remove_dead_code(Program program) {
  ProgramBuilder builder(std::move(program));
  const std::uint32_t count = static_cast<std::uint32_t>(builder.view().functions().size());
  for (std::uint32_t i = 0; i < count; ++i) {
    bool changed = true;
    while (changed) {
      changed = remove_idle_counters(builder, FunId{i});
      changed = remove_dead_writes(builder, FunId{i}) || changed;
      bypass_skips(builder, FunId{i});
      changed = merge_equal_arms(builder, FunId{i}) || changed;
    }
    remove_unreached_edges(builder, FunId{i});
  }
  const ReferredFunctions referred(builder.view());
  for (std::uint32_t i = 0; i < count; ++i)
    if (!referred.contains(FunId{i}))
      for (const LocId at : builder.function(FunId{i}).locations) builder.location(at).out.clear();
  return std::move(builder).finish();
}

}  // namespace heddle::passes
