// Confirms that threads wait for ever although others run on: looks at everything
// that can still happen after the trace, without any reduction.
#pragma once

#include "ir/program.hpp"
#include "verdict/annotated_trace.hpp"
#include "verdict/property.hpp"
#include "verdict/verdict.hpp"

namespace heddle::portfolio {

enum class Stuck { confirmed, refuted, undecided };

// Where confirmed, `trace.waiting` is filled in.
Stuck never_move_again(const ir::Program& program, const verdict::Property& property,
                       const verdict::Unsafe& unsafe, verdict::AnnotatedTrace& trace);

}  // namespace heddle::portfolio
