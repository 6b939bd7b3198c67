// Globals with initialisers: the flat list of values at offsets, put back into the
// shape of the type.
#include <fmt/format.h>

#include <algorithm>

#include "ir/c_printer_parts.hpp"
#include "ir/print.hpp"

namespace heddle::ir {
namespace {

class InitializerPrinter {
 public:
  InitializerPrinter(const Program& program, const CNames& names, const Global& global)
      : program_(program), exprs_(program, names, ExprStyle::exact), parts_(global.initializers) {
    std::sort(parts_.begin(), parts_.end(), [](const Initializer& a, const Initializer& b) {
      return std::pair(a.offset, a.bits.offset) < std::pair(b.offset, b.bits.offset);
    });
  }

  std::string print(TypeId id, std::uint64_t offset) const {
    const Type& type = program_.type(id);
    if (type.kind == TypeKind::array) return array(type, offset);
    if (type.kind == TypeKind::record) return record(type, offset);
    return scalar(id, offset, {});
  }

 private:
  std::vector<Initializer>::const_iterator first_at(std::uint64_t offset) const {
    return std::lower_bound(
        parts_.begin(), parts_.end(), offset,
        [](const Initializer& part, std::uint64_t wanted) { return part.offset < wanted; });
  }

  bool touched(std::uint64_t from, std::uint64_t to) const {
    const auto first = first_at(from);
    return first != parts_.end() && first->offset < to;
  }

  const Initializer* at(std::uint64_t offset, BitRange bits) const {
    for (auto part = first_at(offset); part != parts_.end() && part->offset == offset; ++part)
      if (part->bits == bits) return &*part;
    return nullptr;
  }

  std::string scalar(TypeId id, std::uint64_t offset, BitRange bits) const {
    const Initializer* part = at(offset, bits);
    if (part == nullptr) return "0";
    if (program_.expr(part->value).type == id) return exprs_.value(part->value);
    return fmt::format("({}){}", type_to_c(program_, id, ""), exprs_.operand(part->value));
  }

  std::string array(const Type& type, std::uint64_t offset) const {
    const std::uint64_t step = program_.type(type.element).size;
    if (step == 0) return "{}";
    std::uint64_t count = type.count;
    if (!type.complete)
      for (const Initializer& part : parts_)
        if (part.offset >= offset) count = std::max(count, (part.offset - offset) / step + 1);
    std::string text = "{";
    bool dense = true;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!touched(offset + i * step, offset + (i + 1) * step)) {
        dense = false;
        continue;
      }
      if (text.size() > 1) text += ", ";
      if (!dense) text += fmt::format("[{}] = ", i);
      text += print(type.element, offset + i * step);
      dense = true;
    }
    return text.size() > 1 ? text + "}" : "{0}";
  }

  std::string record(const Type& type, std::uint64_t offset) const {
    if (type.record == RecordKind::union_record) return union_member(type, offset);
    std::string text = "{";
    for (std::uint32_t i = 0; i < type.fields.size(); ++i) {
      const Field& field = type.fields[i];
      const bool padding = !field.bits.whole() || program_.type(field.type).scalar();
      if (padding && field.name.empty()) continue;
      const std::uint64_t start = offset + field.offset;
      const Type& member = program_.type(field.type);
      const std::uint64_t size = member.complete ? member.size : type.size + (1 << 20);
      const bool here =
          field.bits.whole() ? touched(start, start + size) : at(start, field.bits) != nullptr;
      if (!here) continue;
      const std::string value =
          field.bits.whole() ? print(field.type, start) : scalar(field.type, start, field.bits);
      text += fmt::format("{}.{} = {}", text.size() > 1 ? ", " : "", c_field_name(field, i), value);
    }
    return text.size() > 1 ? text + "}" : "{}";
  }

  // The member whose scalars lie where the values are.
  std::string union_member(const Type& type, std::uint64_t offset) const {
    std::uint32_t best = 0;
    int best_score = -1;
    for (std::uint32_t i = 0; i < type.fields.size(); ++i) {
      const int score = matches(type.fields[i].type, offset + type.fields[i].offset);
      if (score > best_score) best = i, best_score = score;
    }
    if (type.fields.empty()) return "{}";
    return fmt::format("{{.{} = {}}}", c_field_name(type.fields[best], best),
                       print(type.fields[best].type, offset + type.fields[best].offset));
  }

  int matches(TypeId id, std::uint64_t offset) const {
    const Type& type = program_.type(id);
    int score = 0;
    if (type.kind == TypeKind::array) {
      const std::uint64_t step = program_.type(type.element).size;
      for (std::uint64_t i = 0; i < type.count && step != 0; ++i)
        if (touched(offset + i * step, offset + (i + 1) * step))
          score += matches(type.element, offset + i * step);
      return score;
    }
    if (type.kind == TypeKind::record) {
      for (const Field& field : type.fields) score += matches(field.type, offset + field.offset);
      return score;
    }
    const Initializer* part = at(offset, {});
    if (part == nullptr) return 0;
    const Type& value = program_.type(program_.expr(part->value).type);
    return value.size != type.size ? 0 : program_.expr(part->value).type == id ? 3 : 2;
  }

  const Program& program_;
  ExprPrinter exprs_;
  std::vector<Initializer> parts_;
};

}  // namespace

std::string global_definition(const Program& program, const CNames& names, GlobalId id) {
  const Global& global = program.global(id);
  const std::string declaration = type_to_c(program, global.type, names.global(id));
  const std::string_view storage = global.storage == Storage::thread ? "_Thread_local " : "";
  if (global.kind == GlobalKind::external)
    return fmt::format("extern {}{};\n", storage, declaration);
  if (global.initializers.empty()) return fmt::format("{}{};\n", storage, declaration);
  return fmt::format("{}{} = {};\n", storage, declaration,
                     InitializerPrinter(program, names, global).print(global.type, 0));
}

}  // namespace heddle::ir
