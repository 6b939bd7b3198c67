#include "ir/print_expr.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "ir/arithmetic.hpp"
#include "ir/print.hpp"

namespace heddle::ir {
namespace {

// How tightly C's operators bind.
enum Binding : int {
  choice = 3,
  either = 4,
  both = 5,
  bit_or = 6,
  bit_xor = 7,
  bit_and = 8,
  equality = 9,
  relation = 10,
  shift = 11,
  sum = 12,
  product = 13,
  prefix = 14,
  postfix = 15,
};

struct Symbol {
  std::string_view text;
  int binding;
};

Symbol symbol_of(Op op) {
  switch (op) {
    case Op::add:
      return {"+", sum};
    case Op::sub:
      return {"-", sum};
    case Op::mul:
      return {"*", product};
    case Op::div:
      return {"/", product};
    case Op::rem:
      return {"%", product};
    case Op::shl:
      return {"<<", shift};
    case Op::shr:
      return {">>", shift};
    case Op::bit_and:
      return {"&", bit_and};
    case Op::bit_or:
      return {"|", bit_or};
    case Op::bit_xor:
      return {"^", bit_xor};
    case Op::eq:
      return {"==", equality};
    case Op::ne:
      return {"!=", equality};
    case Op::lt:
      return {"<", relation};
    default:
      return {"<=", relation};
  }
}

bool is_bitwise(int binding) { return binding >= bit_or && binding <= bit_and; }

std::string real_text(const Type& type, std::uint64_t bits) {
  const bool narrow = type.width == 32;
  const double value =
      narrow ? std::bit_cast<float>(static_cast<std::uint32_t>(bits)) : std::bit_cast<double>(bits);
  const std::string_view suffix = narrow ? "f" : "";
  const std::string_view sign = std::signbit(value) ? "-" : "";
  if (std::isnan(value)) return fmt::format("{}__builtin_nan{}(\"\")", sign, suffix);
  if (std::isinf(value)) return fmt::format("{}__builtin_inf{}()", sign, suffix);
  std::string text =
      narrow ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + std::string(suffix);
}

}  // namespace

std::string ExprPrinter::at_least(const Text& text, int binding) const {
  return text.binding >= binding ? text.text : "(" + text.text + ")";
}

std::string ExprPrinter::value(ExprId id) const { return print(id).text; }
std::string ExprPrinter::operand(ExprId id) const { return at_least(print(id), prefix); }
std::string ExprPrinter::lvalue(ExprId address) const { return place(address).text; }

std::string ExprPrinter::condition(ExprId id) const { return print(id).text; }

ExprPrinter::Text ExprPrinter::cast_to(TypeId type, const Text& inner) const {
  return {fmt::format("({}){}", type_to_c(program_, type, ""), at_least(inner, prefix)), prefix};
}

ExprPrinter::Text ExprPrinter::print(ExprId id) const {
  const Expr& expr = program_.expr(id);
  switch (expr.op) {
    case Op::constant:
      return print_constant(expr);
    case Op::reg: {
      const RegId reg{static_cast<std::uint32_t>(expr.payload)};
      if (const auto object = names_.object(reg)) return {"&" + *object, prefix};
      return {names_.reg(reg), postfix};
    }
    case Op::function_address:
      return {names_.function(FunId{static_cast<std::uint32_t>(expr.payload)}), postfix};
    case Op::global_address:
    case Op::field:
      return {"&" + at_least(place(id), prefix), prefix};
    case Op::neg:
    case Op::bit_not: {
      const Text inner = print(expr.args[0]);
      std::string text = at_least(inner, prefix);
      if (text.front() == '-') text = "(" + text + ")";
      const Text result{(expr.op == Op::neg ? "-" : "~") + text, prefix};
      const bool narrow =
          program_.type(expr.type).kind == TypeKind::integer && program_.type(expr.type).width < 32;
      return narrow ? cast_to(expr.type, result) : result;
    }
    case Op::logical_not:
      return {"!" + at_least(print(expr.args[0]), prefix), prefix};
    case Op::add_overflows:
    case Op::sub_overflows:
    case Op::mul_overflows:
      return print_overflow(expr);
    case Op::cast:
      return print_cast(expr);
    case Op::select:
      return print_select(expr);
    case Op::ptr_add:
      return print_moved(expr);
    case Op::ptr_diff:
      return print_difference(expr);
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::rem:
    case Op::shl:
    case Op::shr:
    case Op::bit_and:
    case Op::bit_or:
    case Op::bit_xor:
    case Op::eq:
    case Op::ne:
    case Op::lt:
    case Op::le:
      break;
  }
  return print_binary(expr);
}

ExprPrinter::Text ExprPrinter::print_pointer_constant(const Expr& expr) const {
  if (style_ == ExprStyle::readable && expr.payload == 0) return {"NULL", postfix};
  const std::string_view suffix = expr.payload == 0                          ? ""
                                  : program_.data_model() == DataModel::lp64 ? "UL"
                                                                             : "U";
  return cast_to(expr.type, {fmt::format("{}{}", expr.payload, suffix), postfix});
}

ExprPrinter::Text ExprPrinter::print_constant(const Expr& expr) const {
  const Type& type = program_.type(expr.type);
  if (type.kind == TypeKind::pointer) return print_pointer_constant(expr);
  if (type.kind == TypeKind::floating) {
    const std::string text = real_text(type, expr.payload);
    return {text, text.front() == '-' ? prefix : postfix};
  }
  const bool exact = style_ == ExprStyle::exact;
  const std::string_view wide = type.width < 64                            ? ""
                                : program_.data_model() == DataModel::lp64 ? "L"
                                                                           : "LL";
  if (!type.is_signed) {
    const std::string_view sign = exact && type.width >= 32 ? "U" : "";
    return {fmt::format("{}{}{}", expr.payload, sign, exact ? wide : ""), postfix};
  }
  const std::int64_t number = as_signed(type, expr.payload);
  const std::string_view suffix = exact ? wide : "";
  // The most negative number has no literal of its own type.
  if (exact && type.width >= 32 && number == -(std::int64_t{1} << (type.width - 2)) * 2)
    return {fmt::format("{}{} - 1", number + 1, suffix), sum};
  return {fmt::format("{}{}", number, suffix), number < 0 ? prefix : postfix};
}

ExprPrinter::Text ExprPrinter::print_binary(const Expr& expr) const {
  const auto [symbol, binding] = symbol_of(expr.op);
  const Text left = print(expr.args[0]), right = print(expr.args[1]);
  // Compilers warn about a & b == c and a << b + c, and readers stumble over them.
  const bool clear = is_bitwise(binding) || binding == shift;
  const int left_needs = clear && left.binding != binding ? static_cast<int>(prefix) : binding;
  const int right_needs = clear ? static_cast<int>(prefix) : binding + 1;
  const bool chained = binding == equality || binding == relation;
  const Text result{fmt::format("{} {} {}", at_least(left, chained ? shift : left_needs), symbol,
                                at_least(right, chained ? shift : right_needs)),
                    binding};
  const Type& type = program_.type(expr.type);
  const bool narrow = type.kind == TypeKind::integer && type.width < 32;  // C would widen it
  return narrow ? cast_to(expr.type, result) : result;
}

ExprPrinter::Text ExprPrinter::print_overflow(const Expr& expr) const {
  const std::string_view name = expr.op == Op::add_overflows   ? "add"
                                : expr.op == Op::sub_overflows ? "sub"
                                                               : "mul";
  const std::string left = print(expr.args[0]).text, right = print(expr.args[1]).text;
  if (style_ == ExprStyle::readable)
    return {fmt::format("{}_overflows({}, {})", name, left, right), postfix};
  return {fmt::format("({{ {}; __builtin_{}_overflow({}, {}, &overflow_result); }})",
                      type_to_c(program_, program_.expr(expr.args[0]).type, "overflow_result"),
                      name, left, right),
          postfix};
}

ExprPrinter::Text ExprPrinter::print_integer_cast(const Expr& expr) const {
  const Type &from = type_of(expr.args[0]), &to = program_.type(expr.type);
  const Text inner = print(expr.args[0]);
  // A truth value is an int in C already.
  if (from.kind == TypeKind::boolean && to.width == 32 && to.is_signed) return inner;
  if (from.kind == TypeKind::boolean && style_ == ExprStyle::readable) return inner;
  const bool same_value = to.width > from.width && (to.is_signed || !from.is_signed);
  if (same_value && style_ == ExprStyle::readable) return inner;
  return cast_to(expr.type, inner);
}

ExprPrinter::Text ExprPrinter::print_cast(const Expr& expr) const {
  const Type &from = type_of(expr.args[0]), &to = program_.type(expr.type);
  if (to.kind == TypeKind::boolean) {
    const std::string zero =
        from.kind == TypeKind::pointer && style_ == ExprStyle::readable ? "NULL" : "0";
    return {fmt::format("{} != {}", at_least(print(expr.args[0]), shift), zero), equality};
  }
  if (from.kind == TypeKind::pointer && to.kind == TypeKind::pointer) {
    if (program_.type(from.element).kind == TypeKind::array &&
        program_.type(from.element).element == to.element)
      return place(expr.args[0]);
    const Text inner = print(expr.args[0]);
    const bool to_or_from_void = program_.type(from.element).kind == TypeKind::void_type ||
                                 program_.type(to.element).kind == TypeKind::void_type;
    if (style_ == ExprStyle::readable && to_or_from_void) return inner;
    const bool of_functions = program_.type(from.element).kind == TypeKind::function ||
                              program_.type(to.element).kind == TypeKind::function;
    if (style_ == ExprStyle::exact && of_functions && !to_or_from_void)
      return cast_to(expr.type, {"(void *)" + at_least(inner, prefix), prefix});
    return cast_to(expr.type, inner);
  }
  if (from.integral() && to.integral()) return print_integer_cast(expr);
  const bool resized = (from.kind == TypeKind::pointer) != (to.kind == TypeKind::pointer) &&
                       from.width != to.width && style_ == ExprStyle::exact;
  if (!resized) return cast_to(expr.type, print(expr.args[0]));
  // Through an integer as wide as a pointer, which compilers do not warn about.
  const bool sign = from.kind == TypeKind::pointer ? to.is_signed : from.is_signed;
  const std::string bridge = fmt::format("({}{})", sign ? "" : "unsigned ",
                                         program_.data_model() == DataModel::lp64 ? "long" : "int");
  return cast_to(expr.type, {bridge + at_least(print(expr.args[0]), prefix), prefix});
}

ExprPrinter::Text ExprPrinter::print_select(const Expr& expr) const {
  const Text condition = print(expr.args[0]);
  const Expr &then = program_.expr(expr.args[1]), &otherwise = program_.expr(expr.args[2]);
  if (program_.type(expr.type).kind == TypeKind::boolean) {
    const auto join = [&](std::string_view symbol, ExprId right, int binding) -> Text {
      const int other = binding == both ? either : both;
      const auto side = [&](const Text& text) {
        return text.binding == other ? "(" + text.text + ")" : at_least(text, binding);
      };
      return {fmt::format("{} {} {}", side(condition), symbol, side(print(right))), binding};
    };
    if (otherwise.op == Op::constant && otherwise.payload == 0)
      return join("&&", expr.args[1], both);
    if (then.op == Op::constant && then.payload != 0) return join("||", expr.args[2], either);
  }
  return {fmt::format("{} ? {} : {}", at_least(condition, either),
                      at_least(print(expr.args[1]), either), at_least(print(expr.args[2]), choice)),
          choice};
}

std::string ExprPrinter::index_text(ExprId id) const {
  const Expr& expr = program_.expr(id);
  if (expr.op == Op::constant && program_.type(expr.type).integral())
    return fmt::format("{}", as_signed(program_.type(expr.type), expr.payload));
  // The index is widened by C anyway.
  if (expr.op == Op::cast && type_of(expr.args[0]).integral() && type_of(id).is_signed &&
      type_of(expr.args[0]).width < type_of(id).width)
    return print(expr.args[0]).text;
  return print(id).text;
}

ExprPrinter::Text ExprPrinter::print_moved(const Expr& expr) const {
  if (const auto array = decayed(expr.args[0]))
    return {"&" + index(*array, expr.args[1]).text, prefix};
  const Text base = print(expr.args[0]);
  const std::string amount = index_text(expr.args[1]);
  if (amount.front() == '-' && amount.find(' ') == std::string::npos && amount.size() > 1 &&
      std::isdigit(static_cast<unsigned char>(amount[1])))
    return {fmt::format("{} - {}", at_least(base, sum), amount.substr(1)), sum};
  const bool simple = amount.find(' ') == std::string::npos;
  return {fmt::format("{} + {}", at_least(base, sum), simple ? amount : "(" + amount + ")"), sum};
}

ExprPrinter::Text ExprPrinter::print_difference(const Expr& expr) const {
  const Text result{fmt::format("{} - {}", at_least(print(expr.args[0]), sum),
                                at_least(print(expr.args[1]), product)),
                    sum};
  const Type& type = program_.type(expr.type);
  const std::uint32_t natural = program_.data_model() == DataModel::lp64 ? 64 : 32;
  return type.width == natural && type.is_signed ? result : cast_to(expr.type, result);
}

// ---- memory ------------------------------------------------------------------

std::optional<ExprId> ExprPrinter::decayed(ExprId pointer) const {
  const Expr& expr = program_.expr(pointer);
  if (expr.op != Op::cast || type_of(expr.args[0]).kind != TypeKind::pointer) return std::nullopt;
  const Type& from = program_.type(type_of(expr.args[0]).element);
  if (from.kind != TypeKind::array || from.element != program_.type(expr.type).element)
    return std::nullopt;
  return expr.args[0];
}

ExprPrinter::Text ExprPrinter::index(ExprId array_address, ExprId at) const {
  return {fmt::format("{}[{}]", at_least(place(array_address), postfix), index_text(at)), postfix};
}

std::string ExprPrinter::field_name(ExprId id) const {
  const Expr& expr = program_.expr(id);
  return names_.field(type_of(expr.args[0]).element, static_cast<std::uint32_t>(expr.payload));
}

ExprPrinter::Text ExprPrinter::place(ExprId address) const {
  const Expr& expr = program_.expr(address);
  if (expr.op == Op::global_address)
    return {names_.global(GlobalId{static_cast<std::uint32_t>(expr.payload)}), postfix};
  if (expr.op == Op::reg) {
    if (const auto object = names_.object(RegId{static_cast<std::uint32_t>(expr.payload)}))
      return {*object, postfix};
  }
  if (expr.op == Op::field) {
    const std::string name = field_name(address);
    if (name.empty()) return place(expr.args[0]);
    ExprId holder = expr.args[0];  // past anonymous members, which have no name in the path
    while (program_.expr(holder).op == Op::field && field_name(holder).empty())
      holder = program_.expr(holder).args[0];
    const Text record = place(holder);
    if (record.text.front() == '*')
      return {fmt::format("{}->{}", at_least(print(holder), postfix), name), postfix};
    return {fmt::format("{}.{}", at_least(record, postfix), name), postfix};
  }
  if (expr.op == Op::ptr_add) {
    if (const auto array = decayed(expr.args[0])) return index(*array, expr.args[1]);
    return {fmt::format("{}[{}]", at_least(print(expr.args[0]), postfix), index_text(expr.args[1])),
            postfix};
  }
  if (const auto array = decayed(address))
    return {at_least(place(*array), postfix) + "[0]", postfix};
  return {"*" + at_least(print(address), prefix), prefix};
}

// ---- for reports ---------------------------------------------------------------

namespace {

// The function whose frame an expression reads, if it reads one.
std::optional<FunId> frame_of(const Program& program, ExprId id) {
  const Expr& expr = program.expr(id);
  if (expr.op == Op::reg)
    return program.reg(RegId{static_cast<std::uint32_t>(expr.payload)}).function;
  for (const ExprId operand : expr.operands())
    if (const auto found = frame_of(program, operand)) return found;
  return std::nullopt;
}

}  // namespace

std::string expr_to_c(const Program& program, ExprId id) {
  const SourceNames names(program, frame_of(program, id).value_or(program.entry()));
  return ExprPrinter(program, names, ExprStyle::readable).value(id);
}

std::string lvalue_to_c(const Program& program, ExprId address) {
  const SourceNames names(program, frame_of(program, address).value_or(program.entry()));
  return ExprPrinter(program, names, ExprStyle::readable).lvalue(address);
}

}  // namespace heddle::ir
