#include "engine/explore/inputs.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "engine/explore/input_classes.hpp"
#include "ir/arithmetic.hpp"

namespace heddle::engine::explore {
namespace {

constexpr std::uint64_t most_exact_values = 256;  // a range up to this size is tried in full
constexpr std::size_t most_classes = 64;
constexpr std::size_t most_compared = 64;
constexpr std::size_t frames_followed = 3;

bool is_comparison(ir::Op op) {
  return op == ir::Op::eq || op == ir::Op::ne || op == ir::Op::lt || op == ir::Op::le;
}

// Constants of the user's functions only: what models compare with says little.
std::vector<ir::ExprId> user_roots(const ir::Program& program) {
  std::vector<ir::ExprId> roots;
  for (const ir::Function& function : program.functions()) {
    if (function.origin == ir::Origin::model) continue;
    for (const ir::LocId location : function.locations)
      for (const ir::EdgeId edge : program.out(location)) {
        const ir::Statement& statement = program.edge(edge).statement;
        if (const auto* assume = std::get_if<ir::Assume>(&statement))
          roots.push_back(assume->condition);
        if (const auto* assign = std::get_if<ir::Assign>(&statement))
          roots.push_back(assign->value);
        if (const auto* call = std::get_if<ir::Call>(&statement))
          roots.insert(roots.end(), call->args.begin(), call->args.end());
        if (const auto* store = std::get_if<ir::Store>(&statement)) roots.push_back(store->value);
      }
  }
  return roots;
}

std::vector<std::uint64_t> compared_constants(const ir::Program& program) {
  std::vector<ir::ExprId> pending = user_roots(program);
  std::reverse(pending.begin(), pending.end());
  std::set<ir::ExprId> seen;
  std::vector<std::uint64_t> found;
  while (!pending.empty() && found.size() < most_compared) {
    const ir::ExprId id = pending.back();
    pending.pop_back();
    if (!seen.insert(id).second) continue;
    const ir::Expr& expr = program.expr(id);
    for (const ir::ExprId operand : expr.operands()) {
      pending.push_back(operand);
      const ir::Expr& constant = program.expr(operand);
      if (is_comparison(expr.op) && constant.op == ir::Op::constant &&
          program.type(constant.type).integral() &&
          std::find(found.begin(), found.end(), constant.payload) == found.end())
        found.push_back(constant.payload);
    }
  }
  return found;
}

}  // namespace

Inputs::Inputs(const ir::Program& program)
    : program_(program), compared_(compared_constants(program)) {}

InputValues Inputs::values(const machine::State& state, ThreadNumber thread, ir::EdgeId edge,
                           const machine::InputRequest& request, std::size_t cap) {
  const std::uint64_t range =
      program_.type(request.type).kind == ir::TypeKind::boolean ? 2 : request.limit;
  if (range != 0 && range <= most_exact_values) {
    InputValues all{.exact = true};
    for (std::uint64_t value = 0; value < range; ++value) all.values.push_back(value);
    return all;
  }
  if (request.limit == 0) {
    const Classes& found = classes(state, thread, edge);
    if (found && found->size() <= most_classes) return {.values = *found, .exact = true};
  }
  return guesses(request, cap);
}

const Inputs::Classes& Inputs::classes(const machine::State& state, ThreadNumber thread,
                                       ir::EdgeId edge) {
  static const Classes not_followed = std::nullopt;
  const auto* havoc = std::get_if<ir::Havoc>(&program_.edge(edge).statement);
  if (havoc == nullptr) return not_followed;
  const auto& frames = state.thread(thread).frames;
  std::vector<ir::RegId> results;
  // The outermost frame's result goes nowhere that we follow.
  for (std::size_t i = 0; i < frames_followed && i + 1 < frames.size(); ++i)
    results.push_back(frames[frames.size() - 1 - i]->result.value_or(ir::RegId::none()));
  std::vector<std::uint32_t> key{edge.value};
  for (const ir::RegId result : results) key.push_back(result.value);
  const auto known = classes_.find(key);
  if (known != classes_.end()) return known->second;
  InputClasses analysis(program_, havoc->to, std::move(results));
  return classes_.emplace(std::move(key), analysis.representatives()).first->second;
}

InputValues Inputs::guesses(const machine::InputRequest& request, std::size_t cap) {
  InputValues result;
  for (const std::uint64_t value : likely(request.type)) {
    if (request.limit != 0 && value >= request.limit) continue;
    if (result.values.size() == cap) {
      result.capped = true;
      break;
    }
    result.values.push_back(value);
  }
  return result;
}

const std::vector<std::uint64_t>& Inputs::likely(ir::TypeId id) {
  std::vector<std::uint64_t>& list = likely_[id];
  if (!list.empty()) return list;
  const ir::Type& type = program_.type(id);
  const auto add = [&](std::uint64_t bits) {
    const std::uint64_t value = ir::truncate(type, bits);
    if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
  };
  if (type.kind == ir::TypeKind::floating) {
    const bool single = type.width == 32;
    add(0);
    add(single ? 0x3f800000 : 0x3ff0000000000000);  // 1
    add(single ? 0xbf800000 : 0xbff0000000000000);  // -1
    return list;
  }
  add(0);
  if (type.kind == ir::TypeKind::pointer) return list;
  add(1);
  for (const std::uint64_t constant : compared_) add(constant);
  add(~std::uint64_t{0});
  add(2);
  for (const std::uint64_t constant : compared_) add(constant + 1);
  for (const std::uint64_t constant : compared_) add(constant - 1);
  add(std::uint64_t{1} << (type.width - 1));
  add((std::uint64_t{1} << (type.width - 1)) - 1);
  return list;
}

}  // namespace heddle::engine::explore
