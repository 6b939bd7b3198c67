#include "ir/c_printer_contents.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ir/print.hpp"

namespace heddle::ir {

using Lines = std::vector<std::string>;

std::string ContentsPrinter::any_value(TypeId id) const {
  const Type& type = program_.type(id);
  std::string of = "pointer", result = "void *";
  if (type.kind != TypeKind::pointer) {
    of = type_to_c(program_, id, "");
    result = of + " ";
    const std::size_t sign = of.find("unsigned ");
    if (sign == 0) of = "u" + of.substr(9);
    std::erase(of, ' ');
    if (of == "_Bool") of = "bool";
  }
  const std::string function = "__VERIFIER_nondet_" + of;
  externs_.emplace(function, fmt::format("{}{}(void)", result, function));
  return type.kind == TypeKind::pointer
             ? fmt::format("({}){}()", type_to_c(program_, id, ""), function)
             : function + "()";
}

Lines ContentsPrinter::any(const std::string& place, TypeId id, const std::string& index) const {
  const Type& type = program_.type(id);
  if (type.scalar()) return {fmt::format("{} = {};", place, any_value(id))};
  if (type.kind == TypeKind::record) return any_members(place, id, index);
  if (type.count == 0) return {};
  const Lines element = any(fmt::format("{}[{}]", place, index), type.element, index + "i");
  if (element.empty()) return {};
  return {fmt::format("for (unsigned long {0} = 0; {0} < {1}; ++{0}) {{ {2} }}", index, type.count,
                      fmt::join(element, " "))};
}

Lines ContentsPrinter::any_members(const std::string& place, TypeId id,
                                   const std::string& index) const {
  const Type& record = program_.type(id);
  const auto largest = std::ranges::max_element(
      record.fields, {}, [&](const Field& field) { return program_.type(field.type).size; });
  Lines lines;
  for (std::uint32_t i = 0; i < record.fields.size(); ++i) {
    const Field& field = record.fields[i];
    const bool padding = field.name.empty() && !field.bits.whole();
    if (padding || (record.record == RecordKind::union_record && &field != &*largest)) continue;
    const Lines inside = any(place + "." + names_.field(id, i), field.type, index);
    lines.insert(lines.end(), inside.begin(), inside.end());
  }
  return lines;
}

std::string ContentsPrinter::zeroed(const std::string& variable, TypeId id) const {
  std::uint64_t count = 1;
  const bool array = program_.type(id).kind == TypeKind::array;
  for (; program_.type(id).kind == TypeKind::array; id = program_.type(id).element)
    count *= program_.type(id).count;
  const std::string zero =
      program_.type(id).scalar() ? "0" : fmt::format("({}){{}}", type_to_c(program_, id, ""));
  if (!array) return fmt::format("{} = {};", variable, zero);
  return fmt::format(
      "for (unsigned long {0}_i = 0; {0}_i < {1}; ++{0}_i) (({2})&{0})[{0}_i] = {3};", variable,
      count, type_to_c(program_, id, "*"), zero);
}

ExprId clobbered_place(const Program& program, const FunctionNames& names, ExprId address) {
  const auto is = [&](ExprId id, std::initializer_list<Op> ops) {
    return std::ranges::find(ops, program.expr(id).op) != ops.end();
  };
  ExprId whole = address;
  while (is(whole, {Op::cast, Op::field, Op::ptr_add})) whole = program.expr(whole).args[0];
  if (is(whole, {Op::global_address})) return whole;
  const RegId reg{static_cast<std::uint32_t>(program.expr(whole).payload)};
  if (is(whole, {Op::reg}) && names.object(reg)) return whole;
  const auto from_pointer = [&](ExprId id) {
    return is(id, {Op::cast}) &&
           program.type(program.expr(program.expr(id).args[0]).type).kind == TypeKind::pointer;
  };
  while (from_pointer(address)) address = program.expr(address).args[0];
  return address;
}

bool has_scalars(const Program& program, TypeId id) {
  const Type& type = program.type(id);
  if (type.kind == TypeKind::array) return type.count > 0 && has_scalars(program, type.element);
  return type.scalar() || std::ranges::any_of(type.fields, [&](const Field& field) {
           return has_scalars(program, field.type);
         });
}

}  // namespace heddle::ir
