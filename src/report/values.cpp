#include "report/values.hpp"

#include <fmt/format.h>

#include <bit>

#include "ir/arithmetic.hpp"

namespace heddle::report {

std::string value_to_text(const ir::Program& program, ir::TypeId id, std::uint64_t bits) {
  if (!id.valid()) return fmt::format("{}", bits);
  const ir::Type& type = program.type(id);
  switch (type.kind) {
    case ir::TypeKind::boolean:
      return bits != 0 ? "true" : "false";
    case ir::TypeKind::integer:
      if (type.is_signed) return fmt::format("{}", ir::as_signed(type, bits));
      return fmt::format("{}", bits);
    case ir::TypeKind::floating:
      if (type.width == 32)
        return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
      return fmt::format("{}", std::bit_cast<double>(bits));
    case ir::TypeKind::pointer:
      return bits == 0 ? "NULL" : fmt::format("{:#x}", bits);
    case ir::TypeKind::void_type:
    case ir::TypeKind::array:
    case ir::TypeKind::record:
    case ir::TypeKind::function:
      break;
  }
  return fmt::format("{:#x}", bits);
}

}  // namespace heddle::report
