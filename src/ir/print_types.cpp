// C's declarator syntax, written from the inside out: each layer of a type wraps
// the declarator so far, and the base type goes in front at the end.
#include <fmt/format.h>

#include "ir/print.hpp"

namespace heddle::ir {
namespace {

std::string integer_name(const Program& program, const Type& type) {
  const std::string_view sign = type.is_signed ? "" : "unsigned ";
  switch (type.width) {
    case 8:
      return fmt::format("{}char", sign);
    case 16:
      return fmt::format("{}short", sign);
    case 32:
      return fmt::format("{}int", sign);
    case 64:
      return fmt::format("{}{}", sign,
                         program.data_model() == DataModel::lp64 ? "long" : "long long");
    default:
      return fmt::format("{}__int{}", sign, type.width);
  }
}

std::string base_name(const Program& program, const Type& type) {
  switch (type.kind) {
    case TypeKind::boolean:
      return "_Bool";
    case TypeKind::integer:
      return integer_name(program, type);
    case TypeKind::floating:
      return type.width == 32 ? "float" : "double";
    case TypeKind::record:
      return (type.record == RecordKind::struct_record ? "struct " : "union ") + type.name;
    case TypeKind::void_type:
    case TypeKind::pointer:
    case TypeKind::array:
    case TypeKind::function:
      break;
  }
  return "void";
}

std::string parameter_list(const Program& program, const Type& type) {
  if (type.parameters.empty()) return type.variadic ? "()" : "(void)";
  std::string list = "(";
  for (std::size_t i = 0; i < type.parameters.size(); ++i)
    list += (i == 0 ? "" : ", ") + type_to_c(program, type.parameters[i], "");
  return list + (type.variadic ? ", ...)" : ")");
}

}  // namespace

std::string type_to_c(const Program& program, TypeId id, std::string_view declarator) {
  std::string inner(declarator);
  for (;;) {
    const Type& type = program.type(id);
    const bool after_star = !inner.empty() && inner.front() == '*';
    if (type.kind == TypeKind::pointer) {
      inner.insert(0, "*");
    } else if (type.kind == TypeKind::array) {
      if (after_star) inner = "(" + inner + ")";
      inner += type.complete ? fmt::format("[{}]", type.count) : "[]";
    } else if (type.kind == TypeKind::function) {
      if (after_star) inner = "(" + inner + ")";
      inner += parameter_list(program, type);
    } else {
      const std::string name = base_name(program, type);
      return inner.empty() ? name : name + " " + inner;
    }
    id = type.element;
  }
}

}  // namespace heddle::ir
