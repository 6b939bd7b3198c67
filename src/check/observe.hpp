// Writes down what one step of a replay does: the place touched, the values read and
// written, the thread created.
#pragma once

#include "machine/machine.hpp"
#include "verdict/annotated_trace.hpp"

namespace heddle::check {

// `before` and `after` are the states around the step.
verdict::Observation observe(const machine::Machine& machine, const machine::State& before,
                             const machine::State& after, const verdict::Step& step);

}  // namespace heddle::check
