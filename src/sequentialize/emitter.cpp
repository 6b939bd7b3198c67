#include "sequentialize/emitter.hpp"

#include <fmt/format.h>

#include <array>

#include "passes/operands.hpp"
#include "passes/substitute.hpp"

namespace heddle::sequentialize {

using namespace ir;

Emitter::Emitter(const Program& program) : program_(program), builder_(program) {
  const TypeId type = builder_.function_type(builder_.int_type(32, true), {}, false);
  function_ = builder_.declare_function("main", type, ir::Origin::user);
  builder_.function(function_).name = "main";
  at_ = fresh();
  builder_.set_function_entry(function_, at_);
}

// ---- statements ------------------------------------------------------------------

EdgeId Emitter::emit_to(LocId to, Statement statement, base::SourceRange source) {
  const EdgeId edge = builder_.add_edge(at_, to, std::move(statement), source);
  if (note_) notes_.emplace_back(edge, *note_);
  at_ = to;
  return edge;
}

EdgeId Emitter::emit(Statement statement, base::SourceRange source) {
  return emit_to(fresh(), std::move(statement), source);
}

void Emitter::jump(LocId to) { emit_to(to, Skip{}); }

void Emitter::assign(RegId to, ExprId value, base::SourceRange source) {
  emit(Assign{to, value}, source);
}

void Emitter::assign(RegId to, std::uint64_t value) {
  assign(to, builder_.constant(builder_.view().reg(to).type, value));
}

void Emitter::branch(ExprId condition, LocId then, base::SourceRange source) {
  const LocId otherwise = fresh();
  const LocId from = at_;
  emit_to(then, Assume{condition}, source);
  at_ = from;
  emit_to(otherwise, Assume{builder_.negation(condition)}, source);
}

void Emitter::where(ExprId condition, const std::function<void()>& then) {
  const LocId there = fresh(), after = fresh();
  branch(condition, there);
  jump(after);
  go_on_at(there);
  then();
  jump(after);
  go_on_at(after);
}

void Emitter::assume(ExprId condition, base::SourceRange source) {
  emit(Assume{condition}, source);
}

void Emitter::bound(std::string what, base::SourceRange source) {
  emit(Unsupported{"bound: " + std::move(what)}, source);
}

void Emitter::stands_for(EdgeId emitted, Origin origin) { origins_.emplace_back(emitted, origin); }

// ---- registers and values --------------------------------------------------------

RegId Emitter::scalar(std::string name, TypeId type) {
  return builder_.add_register(function_, std::move(name), type);
}

ExprId Emitter::equals(RegId reg, std::uint64_t number) {
  const TypeId type = builder_.view().reg(reg).type;
  return builder_.binary(Op::eq, builder_.reg(reg), builder_.constant(type, number));
}

ExprId Emitter::differs(RegId reg, std::uint64_t number) {
  const TypeId type = builder_.view().reg(reg).type;
  return builder_.binary(Op::ne, builder_.reg(reg), builder_.constant(type, number));
}

ExprId Emitter::both(ExprId left, ExprId right) {
  return builder_.select(left, right, builder_.constant(builder_.bool_type(), 0));
}

ExprId Emitter::either(ExprId left, ExprId right) {
  return builder_.select(left, builder_.constant(builder_.bool_type(), 1), right);
}

RegId Emitter::rename(ThreadIndex thread, FrameIndex frame, RegId reg) {
  const auto [entry, fresh] = registers_.try_emplace({{thread, frame}, reg});
  if (fresh) {
    const Register& known = program_.reg(reg);
    const std::string name = known.temporary ? fmt::format("t{}_r{}", thread, known.name.substr(1))
                                             : fmt::format("t{}_{}", thread, known.name);
    entry->second = scalar(name, known.type);
  }
  return entry->second;
}

GlobalId Emitter::copy_of(ThreadIndex thread, GlobalId global) {
  const auto [entry, fresh] = copies_.try_emplace({thread, global});
  if (fresh) {
    Global copy = program_.global(global);
    copy.storage = Storage::process;
    copy.name = fmt::format("t{}_{}", thread, copy.name);
    entry->second = builder_.add_global(std::move(copy));
  }
  return entry->second;
}

ExprId Emitter::rename(ThreadIndex thread, FrameIndex frame, ExprId id) {
  const auto known = renamed_.find({{thread, frame}, id});
  if (known != renamed_.end()) return known->second;
  const Expr expr = builder_.expr(id);  // a copy: the table grows below
  ExprId result = id;
  if (expr.op == Op::reg) {
    result = builder_.reg(rename(thread, frame, RegId{static_cast<std::uint32_t>(expr.payload)}));
  } else if (expr.op == Op::global_address) {
    const GlobalId global{static_cast<std::uint32_t>(expr.payload)};
    if (program_.global(global).storage == Storage::thread)
      result = builder_.global_address(copy_of(thread, global));
  } else {
    std::array<ExprId, 3> args = expr.args;
    for (std::size_t i = 0; i < expr.arity; ++i) args[i] = rename(thread, frame, expr.args[i]);
    if (args != expr.args) result = passes::rebuilt(builder_, expr, args);
  }
  renamed_[{{thread, frame}, id}] = result;
  return result;
}

Statement Emitter::rename(ThreadIndex thread, FrameIndex frame, Statement statement) {
  passes::change_operands(statement,
                          [&](ExprId operand) { return rename(thread, frame, operand); });
  std::visit(
      [&](auto& s) {
        if constexpr (requires { s.to; }) s.to = rename(thread, frame, s.to);
        if constexpr (requires { s.before; }) s.before = rename(thread, frame, s.before);
      },
      statement);
  auto* alloc = std::get_if<Alloc>(&statement);
  if (alloc != nullptr && !alloc->name.empty())
    alloc->name = fmt::format("t{}_{}", thread, alloc->name);
  return statement;
}

// ---- the whole -------------------------------------------------------------------

Sequential Emitter::finish(std::vector<std::string> routines, Counters counters) && {
  builder_.set_entry(function_);
  builder_.set_main(function_);
  Sequential result;
  result.program = std::move(builder_).finish();
  result.origins.resize(result.program.edges().size());
  result.notes.resize(result.program.edges().size());
  for (const auto& [edge, origin] : origins_) result.origins[edge.value] = origin;
  for (const auto& [edge, note] : notes_) result.notes[edge.value] = note;
  result.routines = std::move(routines);
  result.counters = counters;
  return result;
}

}  // namespace heddle::sequentialize
