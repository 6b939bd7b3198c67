// The rows of a story as a table with one column per thread.
#pragma once

#include <string>

#include "ir/program.hpp"
#include "report/story.hpp"
#include "report/style.hpp"

namespace heddle::report {

// `routines` names the columns, by thread number. Ends with a newline.
std::string table_of(const ir::Program& program, const Story& story,
                     const std::vector<std::string>& routines, const Style& style);

// The number of characters that a terminal shows, not counting UTF-8 continuation bytes.
std::size_t shown_width(std::string_view text);

}  // namespace heddle::report
