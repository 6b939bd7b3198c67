// The report for people: what the verdict is, and the evidence for it.
#pragma once

#include <string>

#include "ir/program.hpp"
#include "report/style.hpp"
#include "verdict/annotated_trace.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::report {

// `trace` is read only where the verdict is Unsafe, and must be its replay.
std::string text_report(const ir::Program& program, const verdict::Property& property,
                        const verdict::Verdict& verdict, const verdict::AnnotatedTrace& trace,
                        const Style& style);

// The last line, for tools, in the spelling of the competition: "VERDICT: false(unreach-call)".
std::string verdict_line(const verdict::Verdict& verdict);

}  // namespace heddle::report
