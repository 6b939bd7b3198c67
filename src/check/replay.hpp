// Takes a trace and a claim about its end, runs the trace step by step on the
// machine, and says whether the claim is true. No Unsafe is shown before that.
#pragma once

#include <string>

#include "ir/program.hpp"
#include "verdict/annotated_trace.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::check {

struct ReplayResult {
  bool confirmed = false;
  std::string reason{};  // why not, if not confirmed
  // Complete if confirmed; else as far as the trace could be run.
  verdict::AnnotatedTrace trace{};
};

ReplayResult replay(const ir::Program& program, const verdict::Property& property,
                    const verdict::Trace& trace, const verdict::Violation& violation);

}  // namespace heddle::check
