// Places in the user's source. Lines and columns count from 1; 0 means unknown.
#pragma once

#include <compare>
#include <cstdint>

#include "base/ids.hpp"

namespace heddle::base {

using FileId = Id<struct FileTag>;  // index into ir::Program::files()

struct SourceRange {
  FileId file{};
  std::uint32_t line = 0, column = 0;          // first character
  std::uint32_t end_line = 0, end_column = 0;  // first character of the last token

  bool known() const { return file.valid() && line != 0; }
  auto operator<=>(const SourceRange&) const = default;
};

}  // namespace heddle::base
