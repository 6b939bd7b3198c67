#include "passes/operands.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

// Shows every operand by reference, so that readers and changers share one list.
template <class Visit>
struct Operands {
  const Visit& visit;

  void operator()(Skip&) const {}
  void operator()(Assign& s) const { visit(s.value); }
  void operator()(Havoc&) const {}
  void operator()(Assume& s) const { visit(s.condition); }
  void operator()(Load& s) const { visit(s.address); }
  void operator()(Store& s) const { visit(s.address), visit(s.value); }
  void operator()(Update& s) const {
    visit(s.address), visit(s.operand);
    if (s.expected.valid()) visit(s.expected);
  }
  void operator()(Call& s) const {
    visit(s.callee);
    for (ExprId& arg : s.args) visit(arg);
  }
  void operator()(Return& s) const {
    if (s.value) visit(*s.value);
  }
  void operator()(Spawn& s) const { visit(s.routine), visit(s.argument); }
  void operator()(Await& s) const { visit(s.address); }
  void operator()(Atomic&) const {}
  void operator()(Alloc& s) const { visit(s.size); }
  void operator()(Free& s) const { visit(s.address); }
  void operator()(ObjectSize& s) const { visit(s.address); }
  void operator()(Clobber& s) const { visit(s.address); }
  void operator()(Self&) const {}
  void operator()(Fail&) const {}
  void operator()(Exit&) const {}
  void operator()(Unsupported&) const {}
};

struct Written {
  using Result = std::optional<RegId>;
  Result operator()(const Skip&) const { return {}; }
  Result operator()(const Assign& s) const { return s.to; }
  Result operator()(const Havoc& s) const { return s.to; }
  Result operator()(const Assume&) const { return {}; }
  Result operator()(const Load& s) const { return s.to; }
  Result operator()(const Store&) const { return {}; }
  Result operator()(const Update& s) const { return s.before; }
  Result operator()(const Call& s) const { return s.result; }
  Result operator()(const Return&) const { return {}; }
  Result operator()(const Spawn& s) const { return s.number; }
  Result operator()(const Await& s) const { return s.loaded; }
  Result operator()(const Atomic&) const { return {}; }
  Result operator()(const Alloc& s) const { return s.to; }
  Result operator()(const Free&) const { return {}; }
  Result operator()(const ObjectSize& s) const { return s.to; }
  Result operator()(const Clobber&) const { return {}; }
  Result operator()(const Self& s) const { return s.to; }
  Result operator()(const Fail&) const { return {}; }
  Result operator()(const Exit&) const { return {}; }
  Result operator()(const Unsupported&) const { return {}; }
};

}  // namespace

void for_each_operand(const Statement& statement, const std::function<void(ExprId)>& visit) {
  const auto read = [&](ExprId& id) { visit(id); };
  Statement copy = statement;  // the walk is written for changers too
  std::visit(Operands<decltype(read)>{read}, copy);
}

void change_operands(Statement& statement, const std::function<ExprId(ExprId)>& change) {
  const auto write = [&](ExprId& id) { id = change(id); };
  std::visit(Operands<decltype(write)>{write}, statement);
}

std::optional<RegId> written_register(const Statement& statement) {
  return std::visit(Written{}, statement);
}

std::optional<ExprId> accessed_address(const Statement& statement) {
  if (const auto* s = std::get_if<Load>(&statement)) return s->address;
  if (const auto* s = std::get_if<Store>(&statement)) return s->address;
  if (const auto* s = std::get_if<Update>(&statement)) return s->address;
  if (const auto* s = std::get_if<Await>(&statement)) return s->address;
  if (const auto* s = std::get_if<Free>(&statement)) return s->address;
  if (const auto* s = std::get_if<Clobber>(&statement)) return s->address;
  if (const auto* s = std::get_if<ObjectSize>(&statement)) return s->address;
  return std::nullopt;
}

bool ends_path(const Statement& statement) {
  return std::holds_alternative<Return>(statement) || std::holds_alternative<Exit>(statement) ||
         std::holds_alternative<Unsupported>(statement);
}

void for_each_register(const Program& program, ExprId id, const std::function<void(RegId)>& visit) {
  const Expr& expr = program.expr(id);
  if (expr.op == Op::reg) visit(RegId{static_cast<std::uint32_t>(expr.payload)});
  for (const ExprId operand : expr.operands()) for_each_register(program, operand, visit);
}

}  // namespace heddle::passes
