#include "ir/program.hpp"

namespace heddle::ir {

std::string_view Program::line_text(base::FileId file, std::uint32_t line) const {
  if (!file.valid() || line == 0) return {};
  std::string_view rest = files_[file.value].text;
  for (std::uint32_t current = 1; !rest.empty(); ++current) {
    const std::size_t end = rest.find('\n');
    if (current == line) return rest.substr(0, end);
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace heddle::ir
