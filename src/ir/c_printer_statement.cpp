#include "ir/c_printer_statement.hpp"

#include <fmt/format.h>

#include <cctype>

#include "ir/c_printer_contents.hpp"
#include "ir/print.hpp"

namespace heddle::ir {
namespace {

using Lines = std::vector<std::string>;

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : ' ';
  }
  return out + "\"";
}

// Text that cannot end the comment around it.
std::string commented(std::string text) {
  for (std::size_t at = 0; (at = text.find("*/", at)) != std::string::npos;) text[at + 1] = ' ';
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

std::string_view order_name(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::relaxed:
      return "__ATOMIC_RELAXED";
    case MemoryOrder::acquire:
      return "__ATOMIC_ACQUIRE";
    case MemoryOrder::release:
      return "__ATOMIC_RELEASE";
    case MemoryOrder::acq_rel:
      return "__ATOMIC_ACQ_REL";
    case MemoryOrder::plain:
    case MemoryOrder::seq_cst:
      break;
  }
  return "__ATOMIC_SEQ_CST";
}

class StatementPrinter {
 public:
  StatementPrinter(const StatementContext& context, EdgeId edge)
      : c_(context),
        edge_(edge),
        exprs_(context.program, context.names, ExprStyle::exact),
        contents_(context.program, context.names, context.externs) {}

  Lines operator()(const Skip&) const { return {}; }
  Lines operator()(const Assign& s) const { return {set(s.to, exprs_.value(s.value))}; }
  Lines operator()(const Havoc& s) const {
    if (s.limit == 0 && overwritten_next(s.to)) return {};
    Lines lines{set(s.to, contents_.any_value(type_of(s.to)))};
    if (s.limit == 0) return lines;
    const Type& type = c_.program.type(type_of(s.to));
    std::string within =
        fmt::format("{} < {}{}", c_.names.reg(s.to), s.limit, type.is_signed ? "" : "U");
    if (type.is_signed) within = fmt::format("0 <= {0} && {1}", c_.names.reg(s.to), within);
    lines.push_back(assume_to_c(c_.form, within, c_.externs));
    return lines;
  }
  Lines operator()(const Assume& s) const {
    return {assume_to_c(c_.form, exprs_.condition(s.condition), c_.externs)};
  }
  Lines operator()(const Load& s) const {
    if (s.order == MemoryOrder::plain || !s.bits.whole())
      return {set(s.to, accessed(s.address, s.bits))};
    if (c_.program.type(type_of(s.to)).kind == TypeKind::floating)
      return {fmt::format("__atomic_load({}, &{}, {});", exprs_.value(s.address),
                          c_.names.reg(s.to), order_name(s.order))};
    return {set(s.to, fmt::format("__atomic_load_n({}, {})", exprs_.value(s.address),
                                  order_name(s.order)))};
  }
  Lines operator()(const Store& s) const {
    if (s.order == MemoryOrder::plain || !s.bits.whole())
      return {fmt::format("{} = {};", accessed(s.address, s.bits), exprs_.value(s.value))};
    const TypeId type = c_.program.expr(s.value).type;
    if (c_.program.type(type).kind == TypeKind::floating)
      return {fmt::format("__atomic_store({}, &({}){{{}}}, {});", exprs_.value(s.address),
                          name(type), exprs_.value(s.value), order_name(s.order))};
    return {fmt::format("__atomic_store_n({}, {}, {});", exprs_.value(s.address),
                        exprs_.value(s.value), order_name(s.order))};
  }
  Lines operator()(const Update& s) const { return {result_of(s.before, update(s))}; }
  Lines operator()(const Call& s) const { return {call(s)}; }
  Lines operator()(const Return& s) const {
    const FunId function = c_.program.function_of(edge_);
    const TypeId result = c_.program.type(c_.program.function(function).type).element;
    if (!s.value || c_.program.type(result).kind == TypeKind::void_type) return {"return;"};
    return {fmt::format("return {};", converted(*s.value, result))};
  }
  Lines operator()(const Spawn& s) const {
    c_.externs.emplace("__heddle_spawn", "int __heddle_spawn(void (*)(void *), void *)");
    return {set(s.number, fmt::format("__heddle_spawn({}, {})", exprs_.value(s.routine),
                                      exprs_.value(s.argument)))};
  }
  Lines operator()(const Await& s) const {
    c_.externs.emplace("__heddle_await", "void __heddle_await(int)");
    return {set(s.loaded, exprs_.lvalue(s.address)),
            fmt::format("__heddle_await({});", exprs_.condition(s.condition))};
  }
  Lines operator()(const Atomic& s) const {
    const std::string name =
        s.mark == AtomicMark::begin ? "__VERIFIER_atomic_begin" : "__VERIFIER_atomic_end";
    c_.externs.emplace(name, fmt::format("void {}(void)", name));
    return {name + "();"};
  }
  Lines operator()(const Alloc& s) const {
    if (c_.names.objects().contains(s.to)) return renewed(s);
    const bool zero = s.contents == Contents::zero;
    const std::string size = exprs_.value(s.size);
    const bool on_heap = s.kind == AllocKind::heap || c_.form == CForm::sequential;
    if (on_heap)
      return {set(s.to, fmt::format("({}){}", name(type_of(s.to)),
                                    zero ? library("calloc") + "(1, " + size + ")"
                                         : library("malloc") + "(" + size + ")"))};
    Lines lines{set(s.to, fmt::format("({})__builtin_alloca({})", name(type_of(s.to)), size))};
    if (zero)
      lines.push_back(fmt::format("{}({}, 0, {});", library("memset"), c_.names.reg(s.to), size));
    return lines;
  }
  Lines operator()(const Free& s) const {
    return {fmt::format("{}({});", library("free"), exprs_.value(s.address))};
  }
  Lines operator()(const ObjectSize& s) const {
    if (c_.form == CForm::sequential) return {set(s.to, contents_.any_value(type_of(s.to)))};
    c_.externs.emplace("__heddle_object_size", "unsigned long __heddle_object_size(void *)");
    return {set(s.to, fmt::format("__heddle_object_size({})", exprs_.value(s.address)))};
  }
  Lines operator()(const Clobber& s) const {
    if (c_.form == CForm::sequential) return clobbered(s);
    c_.externs.emplace("__heddle_clobber", "void __heddle_clobber(void *)");
    return {fmt::format("__heddle_clobber((void *){});", exprs_.operand(s.address))};
  }
  Lines operator()(const Self& s) const {
    c_.externs.emplace("__heddle_self", "int __heddle_self(void)");
    return {set(s.to, "__heddle_self()")};
  }
  Lines operator()(const Fail& s) const { return fail(s); }
  Lines operator()(const Exit& s) const {
    if (s.scope == ExitScope::thread) return {library("pthread_exit") + "((void *)0);"};
    if (s.scope == ExitScope::process) return {library("exit") + "(0);"};
    return {library("abort") + "();"};
  }
  Lines operator()(const Unsupported& s) const {
    if (c_.form == CForm::sequential)
      return {fmt::format("{}(); /* {} */", library("abort"), commented(s.what))};
    c_.externs.emplace("__heddle_unsupported", "void __heddle_unsupported(const char *)");
    return {fmt::format("__heddle_unsupported({});", quoted(s.what)), library("abort") + "();"};
  }

 private:
  TypeId type_of(RegId reg) const { return c_.program.reg(reg).type; }
  std::string name(TypeId type) const { return type_to_c(c_.program, type, ""); }
  // A struct copy moves the whole storage unit that bit-fields share: no member of its own.
  std::string accessed(ExprId address, BitRange bits) const {
    const Expr& place = c_.program.expr(address);
    if (place.op != Op::field || !bits.whole()) return exprs_.lvalue(address);
    const TypeId record = c_.program.pointee(place.args[0]);
    const Field& member = c_.program.type(record).fields[place.payload];
    if (member.bits.whole()) return exprs_.lvalue(address);
    return fmt::format("*({})((char *){} + {})", name(place.type), exprs_.operand(place.args[0]),
                       member.offset);
  }
  std::string set(RegId reg, const std::string& value) const {
    return fmt::format("{} = {};", c_.names.reg(reg), value);
  }
  std::string result_of(RegId reg, const std::string& value) const {
    return c_.read.contains(reg) ? set(reg, value) : value + ";";
  }
  std::string library(const std::string& function) const {
    c_.externs.emplace(function, standard_declaration(c_.program, function));
    return function;
  }
  std::string converted(ExprId id, TypeId to) const {
    const Expr& expr = c_.program.expr(id);
    if (expr.op == Op::constant && expr.payload == 0 &&
        c_.program.type(to).kind == TypeKind::pointer)
      return "0";
    if (c_.program.expr(id).type == to || !c_.program.type(to).scalar()) return exprs_.value(id);
    return fmt::format("({}){}", name(to), exprs_.operand(id));
  }

  std::string update(const Update& s) const {
    const TypeId id = type_of(s.before);
    const bool pointer = c_.program.type(id).kind == TypeKind::pointer;
    const std::string order(order_name(s.order));
    const std::string operand = converted(s.operand, id);
    if (s.op == RmwOp::compare_exchange)
      return fmt::format("__sync_val_compare_and_swap({}, {}, {})", exprs_.value(s.address),
                         converted(s.expected, id), operand);
    if (s.op == RmwOp::exchange)
      return fmt::format("__atomic_exchange_n({}, {}, {})", exprs_.value(s.address), operand,
                         order);
    if (!pointer)
      return fmt::format("__atomic_fetch_{}({}, {}, {})", to_string(s.op), exprs_.value(s.address),
                         operand, order);
    // Compilers differ in whether they scale an address here: as a number they do not.
    const std::string_view word =
        c_.program.data_model() == DataModel::lp64 ? "unsigned long" : "unsigned int";
    return fmt::format("({})__atomic_fetch_{}(({} *){}, ({}){}, {})", name(id), to_string(s.op),
                       word, exprs_.operand(s.address), word, exprs_.operand(s.operand), order);
  }

  std::string call(const Call& s) const {
    const Expr& callee = c_.program.expr(s.callee);
    const Type& type = c_.program.type(c_.program.pointee(s.callee));
    std::vector<TypeId> parameters = type.parameters;
    std::string text;
    if (callee.op == Op::function_address) {
      const FunId id{static_cast<std::uint32_t>(callee.payload)};
      text = c_.names.function(id);
      parameters.clear();
      for (const RegId reg : c_.program.function(id).parameters) parameters.push_back(type_of(reg));
    } else {
      text = callee.op == Op::reg ? exprs_.value(s.callee) : "(" + exprs_.value(s.callee) + ")";
    }
    text += "(";
    for (std::size_t i = 0; i < s.args.size(); ++i) {
      if (i >= parameters.size() && !type.variadic) break;  // old-style calls may give more
      text += i == 0 ? "" : ", ";
      text += i < parameters.size() ? converted(s.args[i], parameters[i]) : exprs_.value(s.args[i]);
    }
    for (std::size_t i = s.args.size(); i < parameters.size(); ++i)
      text += (i == 0 ? "(" : ", (") + name(parameters[i]) + ")0";
    text += ")";
    if (!s.result || c_.program.type(type.element).kind == TypeKind::void_type) return text + ";";
    if (type.element != type_of(*s.result))
      text = fmt::format("({}){}", name(type_of(*s.result)), text);
    return result_of(*s.result, text);
  }

  // A variable declared at the top lives once a call; its declaration may run more often. Verifiers
  // of sequential programs are told that a number is unset.
  Lines renewed(const Alloc& s) const {
    const bool again = c_.again.contains(edge_);
    const TypeId id = c_.program.type(type_of(s.to)).element;
    const std::string variable = c_.names.reg(s.to);
    if (s.contents == Contents::zero)
      return again ? Lines{contents_.zeroed(variable, id)} : Lines{};
    const bool told = c_.form == CForm::sequential && c_.program.type(id).scalar();
    if ((!again && !told) || initialised_next(s.to)) return {};
    return contents_.any(variable, id, variable + "_i");
  }

  bool reads(ExprId id, RegId reg) const {
    const Expr& expr = c_.program.expr(id);
    if (expr.op == Op::reg && expr.payload == reg.value) return true;
    for (const ExprId operand : expr.operands())
      if (reads(operand, reg)) return true;
    return false;
  }

  // A declaration's "any value" need not be said where the initialiser follows.
  bool overwritten_next(RegId reg) const {
    LocId at = c_.program.edge(edge_).to;
    for (int i = 0; i < 16 && c_.program.out(at).size() == 1; ++i) {
      const Edge& next = c_.program.edge(c_.program.out(at)[0]);
      const auto* assign = std::get_if<Assign>(&next.statement);
      const auto* load = std::get_if<Load>(&next.statement);
      if (assign == nullptr && load == nullptr) return false;
      if (reads(assign != nullptr ? assign->value : load->address, reg)) return false;
      if ((assign != nullptr ? assign->to : load->to) == reg) return true;
      at = next.to;
    }
    return false;
  }

  bool initialised_next(RegId reg) const {
    LocId at = c_.program.edge(edge_).to;
    for (int i = 0; i < 16 && c_.program.out(at).size() == 1; ++i) {
      const Edge& next = c_.program.edge(c_.program.out(at)[0]);
      if (const auto* store = std::get_if<Store>(&next.statement)) {
        const Expr& address = c_.program.expr(store->address);
        if (address.op == Op::reg && address.payload == reg.value) return true;
      }
      if (!std::holds_alternative<Assign>(next.statement) &&
          !std::holds_alternative<Load>(next.statement))
        return false;
      at = next.to;
    }
    return false;
  }

  Lines clobbered(const Clobber& s) const {
    const ExprId address = clobbered_place(c_.program, c_.names, s.address);
    const std::string place = exprs_.lvalue(address);
    const bool variable = place.front() != '*';
    const Lines contents = contents_.any(variable ? place : "(" + place + ")",
                                         c_.program.pointee(address), c_.names.unused("part"));
    if (variable || contents.empty()) return contents;
    return {fmt::format("if ({} != 0) {{ {} }}", exprs_.value(address), fmt::join(contents, " "))};
  }

  Lines fail(const Fail& s) const {
    if (c_.form == CForm::sequential) {
      c_.externs.emplace("reach_error", "void reach_error(void)");
      return {fmt::format("reach_error(); /* {} */", commented(s.text))};
    }
    if (s.kind == FailKind::assertion) {
      c_.externs.emplace(
          "__assert_fail",
          "void __assert_fail(const char *, const char *, unsigned int, const char *) "
          "__attribute__((noreturn))");
      const Edge& edge = c_.program.edge(edge_);
      const std::string file =
          edge.source.known() ? c_.program.file(edge.source.file).name : std::string("unknown");
      return {fmt::format("__assert_fail({}, {}, {}, {});", quoted(s.text), quoted(file),
                          edge.source.line,
                          quoted(c_.program.function(c_.program.function_of(edge_)).name))};
    }
    if (s.kind != FailKind::error_call) return {};  // the arithmetic itself says it again
    if (calls_error_function(c_.program.edge(edge_).to)) return {};
    c_.externs.emplace("reach_error", "void reach_error(void)");
    return {"reach_error();"};
  }

  // Then the call that follows is the failure.
  bool calls_error_function(LocId at) const {
    if (c_.program.out(at).size() != 1) return false;
    const auto* call = std::get_if<Call>(&c_.program.edge(c_.program.out(at)[0]).statement);
    if (call == nullptr || c_.program.expr(call->callee).op != Op::function_address) return false;
    const FunId callee{static_cast<std::uint32_t>(c_.program.expr(call->callee).payload)};
    const std::string& function = c_.program.function(callee).name;
    return function == "reach_error" || function == "__VERIFIER_error";
  }

  const StatementContext& c_;
  EdgeId edge_;
  ExprPrinter exprs_;
  ContentsPrinter contents_;
};

}  // namespace

std::string assume_to_c(CForm form, const std::string& condition, Externs& externs) {
  if (form == CForm::sequential) {
    externs.emplace("abort", "void abort(void) __attribute__((noreturn))");
    return fmt::format("if (!({})) abort();", condition);
  }
  externs.emplace("__VERIFIER_assume", "void __VERIFIER_assume(int)");
  return fmt::format("__VERIFIER_assume({});", condition);
}

std::vector<std::string> statement_to_c(const StatementContext& context, EdgeId edge) {
  return std::visit(StatementPrinter(context, edge), context.program.edge(edge).statement);
}

}  // namespace heddle::ir
