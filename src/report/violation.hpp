// A violation in words: one line that names it, and lines that explain the end.
#pragma once

#include <string>

#include "ir/program.hpp"
#include "report/story.hpp"
#include "report/style.hpp"
#include "verdict/annotated_trace.hpp"

namespace heddle::report {

// "file.c:17:3: error: assertion failed: counter == 2 [assert]"
std::string headline(const ir::Program& program, const Story& story,
                     const verdict::AnnotatedTrace& trace, const Style& style);
// "why: ..." and further lines; ends with a newline.
std::string explanation(const ir::Program& program, const Story& story,
                        const verdict::AnnotatedTrace& trace);

}  // namespace heddle::report
