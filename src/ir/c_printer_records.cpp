// Structs and unions with their exact layout. The rules of the x86 ABIs place the
// members; where the record differs (packed, aligned, padded by bit-fields), it
// is packed and every gap is written out.
#include <fmt/format.h>

#include <algorithm>

#include "ir/c_printer_parts.hpp"
#include "ir/print.hpp"

namespace heddle::ir {
namespace {

std::uint64_t align_up(std::uint64_t value, std::uint64_t to) { return (value + to - 1) / to * to; }

class RecordPrinter {
 public:
  RecordPrinter(const Program& program, const Type& type) : program_(program), type_(type) {}

  std::string print() {
    std::string body = members();
    if (failed_) {
      packed_ = true;
      body = members();
    }
    const std::string_view kind = type_.record == RecordKind::struct_record ? "struct" : "union";
    std::string attributes;
    if (packed_) attributes = fmt::format(" __attribute__((packed, aligned({})))", type_.align);
    if (!packed_ && natural_align_ < type_.align)
      attributes = fmt::format(" __attribute__((aligned({})))", type_.align);
    return fmt::format(
        "{0} {1} {{\n{2}}}{3};\n_Static_assert(sizeof({0} {1}) == {4}, \"layout of {1}\");\n", kind,
        type_.name, body, attributes, type_.size);
  }

 private:
  std::string members() {
    at_bit_ = 0;
    natural_align_ = 1;
    pads_ = 0;
    failed_ = false;
    std::string body;
    for (std::uint32_t i = 0; i < type_.fields.size(); ++i) member(i, body);
    if (type_.record == RecordKind::union_record) {
      const std::uint64_t natural = align_up(at_bit_ / 8, packed_ ? 1 : natural_align_);
      if (natural < type_.size) body += fmt::format("  char pad_{}[{}];\n", pads_++, type_.size);
    } else {
      const std::uint64_t used = (at_bit_ + 7) / 8;
      const std::uint32_t align = packed_ ? 1 : std::max(natural_align_, type_.align);
      if (align_up(used, align) < type_.size)
        body += fmt::format("  char pad_{}[{}];\n", pads_++, type_.size - used);
      if (align_up(used, align) > type_.size || natural_align_ > type_.align) failed_ = !packed_;
    }
    return body;
  }

  void member(std::uint32_t index, std::string& body) {
    const Field& field = type_.fields[index];
    if (!field.bits.whole()) return bit_field(index, body);
    const Type& type = program_.type(field.type);
    if (field.name.empty() && type.scalar()) return;  // `: 0`: what follows says where it is
    natural_align_ = std::max(natural_align_, packed_ ? 1 : type.align);
    if (type_.record == RecordKind::struct_record) {
      const std::uint64_t natural = align_up((at_bit_ + 7) / 8, packed_ ? 1 : type.align);
      if (natural > field.offset) failed_ = true;
      if (natural < field.offset)
        body += fmt::format("  char pad_{}[{}];\n", pads_++, field.offset - (at_bit_ + 7) / 8);
      at_bit_ = (field.offset + type.size) * 8;
    } else {
      at_bit_ = std::max(at_bit_, type.size * 8);
    }
    body += fmt::format("  {};\n", type_to_c(program_, field.type, c_field_name(field, index)));
  }

  void bit_field(std::uint32_t index, std::string& body) {
    const Field& field = type_.fields[index];
    const Type& type = program_.type(field.type);
    const std::uint64_t unit = type.size * 8;
    const std::uint64_t wanted = field.offset * 8 + field.bits.offset;
    std::uint64_t natural = type_.record == RecordKind::union_record ? 0 : at_bit_;
    if (natural / unit != (natural + field.bits.width - 1) / unit && !packed_)
      natural = align_up(natural, unit);
    if (field.name.empty()) return;  // padding: what follows says where it is
    if (wanted > natural) body += gap(at_bit_, wanted);
    if (wanted < natural) failed_ = true;
    natural_align_ = std::max(natural_align_, packed_ ? 1 : type.align);
    at_bit_ = std::max(at_bit_, wanted + field.bits.width);
    body +=
        fmt::format("  {} : {};\n", type_to_c(program_, field.type, field.name), field.bits.width);
  }

  // Unnamed bit-fields take no part in the alignment of the record.
  std::string gap(std::uint64_t from, std::uint64_t to) const {
    std::string text;
    while (from < to) {
      const std::uint64_t end = std::min(to, (from / 8 + 1) * 8);
      text += fmt::format("  unsigned char : {};\n", end - from);
      from = end;
    }
    return text;
  }

  const Program& program_;
  const Type& type_;
  bool packed_ = false, failed_ = false;
  std::uint64_t at_bit_ = 0;
  std::uint32_t natural_align_ = 1;
  int pads_ = 0;
};

}  // namespace

std::string record_definition(const Program& program, TypeId record) {
  return RecordPrinter(program, program.type(record)).print();
}

}  // namespace heddle::ir
