// Makes a program that shows a fault small enough to read: greedy delta debugging
// on the generator's tree (Zeller, Hildebrandt, TSE 2002).
#pragma once

#include <functional>

#include "generate/program.hpp"

namespace heddle::generate {

// Whether the program still shows the fault. Must be false for text that is not C.
using StillFails = std::function<bool(const Program&)>;

// The smallest program found: no single removal or simplification of it still fails, unless
// `attempts` runs of the predicate were not enough. `program` itself must fail.
Program shrink(const Program& program, const StillFails& still_fails, std::size_t attempts = 2000);

}  // namespace heddle::generate
