// Writes down what one step of a replay does: the place touched, the values read and
// written, the thread created.
#pragma once

#include <optional>

#include "machine/machine.hpp"
#include "verdict/annotated_trace.hpp"

namespace heddle::check {

// One step is observed in two parts, so that nobody has to keep the state before it.
class StepObserver {
 public:
  // The step is about to be taken in the state.
  StepObserver(const machine::Machine& machine, const machine::State& before,
               const verdict::Step& step);
  // It has led there.
  verdict::Observation finish(const machine::State& after) &&;

 private:
  const machine::Machine& machine_;
  verdict::Observation seen_{};
  std::optional<machine::Access> updated_{};  // memory that an Update writes
};

}  // namespace heddle::check
