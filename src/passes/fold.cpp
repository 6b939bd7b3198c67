#include "passes/fold.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "ir/builder.hpp"
#include "passes/liveness.hpp"
#include "passes/operands.hpp"
#include "passes/order.hpp"
#include "passes/substitute.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

bool reads_register(const ProgramBuilder& builder, ExprId id) {
  const Expr& expr = builder.expr(id);
  if (expr.op == Op::reg) return true;
  for (const ExprId operand : expr.operands())
    if (reads_register(builder, operand)) return true;
  return false;
}

void forget(const ProgramBuilder& builder, RegisterValues& values, RegId written) {
  values.erase(written);
  std::erase_if(values, [&](const auto& entry) {
    const Expr& expr = builder.expr(entry.second);
    return expr.op == Op::reg && expr.payload == written.value;
  });
}

class FunctionFolder {
 public:
  FunctionFolder(ProgramBuilder& builder, FunId function)
      : builder_(builder), function_(function), liveness_(builder.view(), function) {}

  void run() {
    find_values();
    for (const LocId at : std::vector<LocId>(builder_.function(function_).locations)) rewrite(at);
  }

 private:
  // Constants and copies may stand for a register; other expressions would be computed twice.
  bool may_stand_for(ExprId value) const {
    return builder_.expr(value).op == Op::reg || !reads_register(builder_, value);
  }

  void find_values() {
    const Function& function = builder_.function(function_);
    if (function.locations.empty()) return;
    // All that comes before a location first, but for loops.
    std::map<LocId, std::uint32_t> ranks;
    for (const LocId at : ends_first(builder_.view(), function))
      ranks.emplace(at, function.locations.size() - ranks.size());
    std::set<std::pair<std::uint32_t, LocId>> work{{ranks.at(function.entry), function.entry}};
    reached_[function.entry] = {};
    while (!work.empty()) {
      const LocId at = work.begin()->second;
      work.erase(work.begin());
      for (const EdgeId id : std::vector<EdgeId>(builder_.location(at).out)) {
        const Edge edge = builder_.edge(id);
        if (ends_path(edge.statement)) continue;
        auto after = post(edge.statement, reached_[at]);
        if (!after) continue;
        std::erase_if(*after,
                      [&](const auto& entry_) { return !liveness_.live(edge.to, entry_.first); });
        if (join(edge.to, std::move(*after))) work.emplace(ranks.at(edge.to), edge.to);
      }
    }
  }

  // nullopt: the edge cannot be taken.
  std::optional<RegisterValues> post(const Statement& statement, RegisterValues values) {
    if (const auto* assume = std::get_if<Assume>(&statement)) {
      const ExprId condition = substitute(builder_, assume->condition, values);
      if (builder_.is_constant(condition) && builder_.expr(condition).payload == 0)
        return std::nullopt;
      learn(condition, values);
      return values;
    }
    const auto written = written_register(statement);
    if (!written) return values;
    std::optional<ExprId> value;
    if (const auto* assign = std::get_if<Assign>(&statement))
      value = substitute(builder_, assign->value, values);
    if (value && *value == builder_.reg(*written)) return values;  // x = x
    forget(builder_, values, *written);
    if (value && may_stand_for(*value)) values[*written] = *value;
    return values;
  }

  // After `x == 5`, x is 5. Not for floats, where 0 == -0.
  void learn(ExprId condition, RegisterValues& values) {
    const Expr expr = builder_.expr(condition);
    if (expr.op == Op::reg) return put(condition, builder_.constant(expr.type, 1), values);
    if (expr.op == Op::logical_not && builder_.expr(expr.args[0]).op == Op::reg)
      return put(expr.args[0], builder_.constant(expr.type, 0), values);
    if (expr.op != Op::eq || builder_.type_of(expr.args[0]).kind == TypeKind::floating) return;
    if (builder_.is_constant(expr.args[1])) put(expr.args[0], expr.args[1], values);
    if (builder_.is_constant(expr.args[0])) put(expr.args[1], expr.args[0], values);
  }

  void put(ExprId reg, ExprId value, RegisterValues& values) {
    if (builder_.expr(reg).op == Op::reg)
      values[RegId{static_cast<std::uint32_t>(builder_.expr(reg).payload)}] = value;
  }

  bool join(LocId at, RegisterValues values) {
    const auto [known, fresh] = reached_.emplace(at, values);
    if (fresh) return true;
    return std::erase_if(known->second, [&](const auto& entry) {
             const auto other = values.find(entry.first);
             return other == values.end() || other->second != entry.second;
           }) > 0;
  }

  void rewrite(LocId at) {
    const std::vector<EdgeId> out = builder_.location(at).out;
    const auto known = reached_.find(at);
    if (known == reached_.end()) {
      for (const EdgeId id : out) builder_.remove_edge(id);
      return;
    }
    for (const EdgeId id : out) rewrite(id, known->second);
    drop_untaken(at);
  }

  void rewrite(EdgeId id, RegisterValues values) {
    Statement statement = builder_.edge(id).statement;
    change_operands(statement,
                    [&](ExprId operand) { return substitute(builder_, operand, values); });
    if (auto* await = std::get_if<Await>(&statement)) {
      forget(builder_, values, await->loaded);
      await->condition = substitute(builder_, await->condition, values);
    }
    builder_.edge(id).statement = std::move(statement);
  }

  std::optional<bool> decided(EdgeId id) {
    const auto* assume = std::get_if<Assume>(&builder_.edge(id).statement);
    if (assume == nullptr || !builder_.is_constant(assume->condition)) return std::nullopt;
    return builder_.expr(assume->condition).payload != 0;
  }

  void drop_untaken(LocId at) {
    for (const EdgeId id : std::vector<EdgeId>(builder_.location(at).out))
      // The last edge stays: a location without edges would mean something else.
      if (decided(id) == false && builder_.location(at).out.size() > 1) builder_.remove_edge(id);
    const std::vector<EdgeId> out = builder_.location(at).out;
    if (out.size() == 1 && decided(out[0]) == true) builder_.edge(out[0]).statement = Skip{};
  }

  ProgramBuilder& builder_;
  FunId function_;
  Liveness liveness_;
  std::map<LocId, RegisterValues> reached_{};  // on every path to the location
};

}  // namespace

Program fold(Program program) {
  ProgramBuilder builder(std::move(program));
  for (std::uint32_t i = 0; i < builder.view().functions().size(); ++i)
    FunctionFolder(builder, FunId{i}).run();
  return std::move(builder).finish();
}

}  // namespace heddle::passes
