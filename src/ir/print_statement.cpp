// One line of text a statement, for the IR's text form, automata and reports.
#include <fmt/format.h>

#include "ir/print.hpp"
#include "ir/print_expr.hpp"
#include "ir/print_statement.hpp"

namespace heddle::ir {
namespace {

std::string order_suffix(MemoryOrder order) {
  return order == MemoryOrder::plain ? "" : fmt::format(" [{}]", to_string(order));
}

std::string bits_suffix(BitRange bits) {
  return bits.whole() ? "" : fmt::format(" bits {}..{}", bits.offset, bits.offset + bits.width - 1);
}

struct Printer {
  const Program& program;
  const Names& names;
  ExprPrinter exprs{program, names, ExprStyle::readable};

  std::string reg(RegId id) const {
    // The register itself, also where it stands for a named local.
    return program.reg(id).name;
  }
  std::string value(ExprId id) const { return exprs.value(id); }
  std::string place(ExprId id) const { return exprs.lvalue(id); }

  std::string operator()(const Skip&) const { return "skip"; }
  std::string operator()(const Assign& s) const {
    return fmt::format("{} = {}", reg(s.to), value(s.value));
  }
  std::string operator()(const Havoc& s) const {
    return s.limit == 0 ? fmt::format("{} = any value", reg(s.to))
                        : fmt::format("{} = any value below {}", reg(s.to), s.limit);
  }
  std::string operator()(const Assume& s) const {
    return fmt::format("assume {}", value(s.condition));
  }
  std::string operator()(const Load& s) const {
    return fmt::format("{} = load {}{}{}", reg(s.to), place(s.address), bits_suffix(s.bits),
                       order_suffix(s.order));
  }
  std::string operator()(const Store& s) const {
    return fmt::format("store {}{} = {}{}", place(s.address), bits_suffix(s.bits), value(s.value),
                       order_suffix(s.order));
  }
  std::string operator()(const Update& s) const {
    const std::string expected =
        s.expected.valid() ? fmt::format(" if {}", value(s.expected)) : std::string();
    return fmt::format("{} = update {} {} {}{}{}", reg(s.before), place(s.address), to_string(s.op),
                       value(s.operand), expected, order_suffix(s.order));
  }
  std::string operator()(const Call& s) const {
    std::string text = s.result ? fmt::format("{} = ", reg(*s.result)) : std::string();
    text += exprs.operand(s.callee) + "(";
    for (std::size_t i = 0; i < s.args.size(); ++i) text += (i == 0 ? "" : ", ") + value(s.args[i]);
    return text + ")";
  }
  std::string operator()(const Return& s) const {
    return s.value ? fmt::format("return {}", value(*s.value)) : "return";
  }
  std::string operator()(const Spawn& s) const {
    return fmt::format("{} = spawn {}({})", reg(s.number), exprs.operand(s.routine),
                       value(s.argument));
  }
  std::string operator()(const Await& s) const {
    return fmt::format(
        "{} = await {} until {}{}{}", reg(s.loaded), place(s.address), value(s.condition),
        s.waits_for == WaitsFor::holder ? " from its holder" : "", order_suffix(s.order));
  }
  std::string operator()(const Atomic& s) const {
    return s.mark == AtomicMark::begin ? "atomic begin" : "atomic end";
  }
  std::string operator()(const Alloc& s) const {
    const std::string_view kind = s.kind == AllocKind::stack   ? "stack"
                                  : s.kind == AllocKind::frame ? "frame"
                                  : s.kind == AllocKind::heap  ? "heap"
                                                               : "model";
    return fmt::format("{} = {} alloc {}{}{}", reg(s.to), kind, value(s.size),
                       s.contents == Contents::zero ? " zeroed" : "",
                       s.name.empty() ? std::string() : " for " + s.name);
  }
  std::string operator()(const Free& s) const { return fmt::format("free {}", value(s.address)); }
  std::string operator()(const ObjectSize& s) const {
    return fmt::format("{} = object size of {}", reg(s.to), value(s.address));
  }
  std::string operator()(const Clobber& s) const {
    return fmt::format("clobber {}", place(s.address));
  }
  std::string operator()(const Self& s) const { return fmt::format("{} = self", reg(s.to)); }
  std::string operator()(const Fail& s) const {
    return s.text.empty() ? fmt::format("fail {}", to_string(s.kind))
                          : fmt::format("fail {}: {}", to_string(s.kind), s.text);
  }
  std::string operator()(const Exit& s) const {
    if (s.scope == ExitScope::thread) return "exit thread";
    return s.scope == ExitScope::process ? "exit process" : "abort";
  }
  std::string operator()(const Unsupported& s) const { return "unsupported: " + s.what; }
};

}  // namespace

std::string statement_to_text(const Program& program, const Names& names,
                              const Statement& statement) {
  return std::visit(Printer{program, names}, statement);
}

std::string statement_to_text(const Program& program, const Statement& statement) {
  return statement_to_text(program, SourceNames(program), statement);
}

std::string_view to_string(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::plain:
      return "plain";
    case MemoryOrder::relaxed:
      return "relaxed";
    case MemoryOrder::acquire:
      return "acquire";
    case MemoryOrder::release:
      return "release";
    case MemoryOrder::acq_rel:
      return "acq_rel";
    case MemoryOrder::seq_cst:
      break;
  }
  return "seq_cst";
}

std::string_view to_string(RmwOp op) {
  switch (op) {
    case RmwOp::exchange:
      return "exchange";
    case RmwOp::add:
      return "add";
    case RmwOp::sub:
      return "sub";
    case RmwOp::bit_and:
      return "and";
    case RmwOp::bit_or:
      return "or";
    case RmwOp::bit_xor:
      return "xor";
    case RmwOp::nand:
      return "nand";
    case RmwOp::compare_exchange:
      break;
  }
  return "compare_exchange";
}

std::string_view to_string(FailKind kind) {
  switch (kind) {
    case FailKind::error_call:
      return "error call";
    case FailKind::assertion:
      return "assertion";
    case FailKind::overflow:
      return "overflow";
    case FailKind::division_by_zero:
      break;
  }
  return "division by zero";
}

}  // namespace heddle::ir
