// What the schemes may be told. Every reduction has a switch here, so that tests can
// compare programs with and without it.
#pragma once

#include <cstdint>
#include <optional>

#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

enum class Switch { on, off };

enum class Scheduler {
  rounds,       // threads in turn; each stops before any statement that others may notice
  statements,   // threads in turn; each runs a number of statements guessed beforehand
  next_thread,  // any thread, one statement that others may notice
};

enum class PcForm { scalar, array };

struct LazyOptions {
  Scheduler scheduler = Scheduler::rounds;
  std::optional<std::uint32_t> rounds{};  // none: as many as there are
  PcForm pc = PcForm::scalar;
  Switch join_local = Switch::on;   // steps that only the thread itself sees go with the one before
  Switch join_atomic = Switch::on;  // and so do the steps of an atomic section
  Switch conflicts = Switch::on;    // a switch counts only while others may still conflict
  Switch markers = Switch::off;     // checks of the sequentialization itself
  ExpansionLimits limits{};
};

}  // namespace heddle::sequentialize
