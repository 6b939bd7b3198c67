#include "ir/validate.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/check.hpp"

namespace heddle::ir {
namespace {

void check_registers_belong(const Program& program, ExprId id, FunId function) {
  if (!id.valid()) return;
  const Expr& expr = program.expr(id);
  if (expr.op == Op::reg)
    CHECK(program.reg(RegId{static_cast<std::uint32_t>(expr.payload)}).function == function,
          "an expression reads registers of its own frame only");
  for (const ExprId operand : expr.operands()) check_registers_belong(program, operand, function);
}

void check_target(const Program& program, RegId reg, FunId function) {
  CHECK(reg.valid() && program.reg(reg).function == function,
        "a statement writes registers of its own frame only");
  CHECK(program.type(program.reg(reg).type).scalar(), "registers are scalars");
}

struct StatementCheck {
  const Program& program;
  FunId function;

  void read(ExprId id) const {
    CHECK(id.valid(), "operands are present");
    check_registers_belong(program, id, function);
  }
  void write(RegId reg) const { check_target(program, reg, function); }
  void address(ExprId id) const {
    read(id);
    const Type& type = program.type(program.expr(id).type);
    CHECK(type.kind == TypeKind::pointer, "memory is reached through pointers");
  }
  void scalar_address(ExprId id) const {
    address(id);
    CHECK(program.type(program.pointee(id)).scalar(), "an access reads or writes one scalar");
  }
  void same_type(TypeId left, TypeId right) const {
    CHECK(left == right, "a value has the type of the place it goes to");
  }

  void operator()(const Skip&) const {}
  void operator()(const Assign& s) const {
    write(s.to), read(s.value);
    same_type(program.reg(s.to).type, program.expr(s.value).type);
  }
  void operator()(const Havoc& s) const { write(s.to); }
  void operator()(const Assume& s) const {
    read(s.condition);
    CHECK(program.type(program.expr(s.condition).type).kind == TypeKind::boolean,
          "conditions are truth values");
  }
  void operator()(const Load& s) const {
    write(s.to), scalar_address(s.address);
    same_type(program.reg(s.to).type, program.pointee(s.address));
  }
  void operator()(const Store& s) const {
    scalar_address(s.address), read(s.value);
    same_type(program.expr(s.value).type, program.pointee(s.address));
  }
  void operator()(const Update& s) const {
    write(s.before), scalar_address(s.address), read(s.operand);
    same_type(program.reg(s.before).type, program.pointee(s.address));
    CHECK((s.op == RmwOp::compare_exchange) == s.expected.valid(),
          "exactly compare_exchange expects a value");
    if (s.expected.valid()) read(s.expected);
  }
  void operator()(const Call& s) const {
    read(s.callee);
    for (const ExprId arg : s.args) read(arg);
    if (s.result) write(*s.result);
  }
  void operator()(const Return& s) const {
    if (s.value) read(*s.value);
  }
  void operator()(const Spawn& s) const { write(s.number), read(s.routine), read(s.argument); }
  void operator()(const Await& s) const {
    write(s.loaded), scalar_address(s.address), read(s.condition);
  }
  void operator()(const Atomic&) const {}
  void operator()(const Alloc& s) const { write(s.to), read(s.size); }
  void operator()(const Free& s) const { address(s.address); }
  void operator()(const ObjectSize& s) const { write(s.to), address(s.address); }
  void operator()(const Clobber& s) const { address(s.address); }
  void operator()(const Self& s) const { write(s.to); }
  void operator()(const Fail&) const {}
  void operator()(const Exit&) const {}
  void operator()(const Unsupported&) const {}
};

}  // namespace

void mark_loop_heads(std::span<const Function> functions, std::span<Location> locations,
                     std::span<const Edge> edges) {
  enum class Mark : std::uint8_t { fresh, open, done };
  std::vector<Mark> marks(locations.size(), Mark::fresh);
  for (Location& location : locations) location.loop_head = false;
  std::vector<std::pair<LocId, std::size_t>> path;  // location, next out-edge to follow
  for (const Function& function : functions) {
    if (!function.entry.valid()) continue;
    path.assign(1, {function.entry, 0});
    marks[function.entry.value] = Mark::open;
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == locations[at.value].out.size()) {
        marks[at.value] = Mark::done;
        path.pop_back();
        continue;
      }
      const LocId to = edges[locations[at.value].out[next++].value].to;
      if (marks[to.value] == Mark::open) locations[to.value].loop_head = true;
      if (marks[to.value] != Mark::fresh) continue;
      marks[to.value] = Mark::open;
      path.push_back({to, 0});
    }
  }
}

void validate(const Program& program) {
  for (const Location& location : program.locations()) {
    for (const EdgeId id : location.out) {
      const Edge& edge = program.edge(id);
      CHECK(program.location(edge.to).function == location.function,
            "an edge stays in its function");
      CHECK(location.out.size() == 1 || std::holds_alternative<Assume>(edge.statement),
            "only Assumes branch");
      std::visit(StatementCheck{program, location.function}, edge.statement);
    }
  }
  for (const Function& function : program.functions())
    CHECK(function.entry.valid(), fmt::format("function {} has a body", function.name));
  CHECK(program.entry().valid(), "a program has an entry");
}

}  // namespace heddle::ir
