// Makes a trace easier to read without changing what it shows: fewer switches
// between threads, no steps that the violation does not need.
#pragma once

#include "base/budget.hpp"
#include "machine/machine.hpp"
#include "verdict/verdict.hpp"

namespace heddle::machine {

// Every candidate is run on the machine, and taken only if it ends in the same kind of violation
// at the same edge. Stops early when `budget` runs out.
verdict::Unsafe shorten(verdict::Unsafe unsafe, const Machine& machine,
                        const verdict::Property& property, const base::Budget& budget);

}  // namespace heddle::machine
