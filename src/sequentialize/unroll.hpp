// The code of a thread with its loops unrolled: each copy of a place belongs to one round of
// every loop around it, and steps only lead on. A loop that is entered again starts anew.
#pragma once

#include <cstdint>

#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

// No loop goes round more than so many times; what would is a bound. Takes the places that it
// adds from `points_left`, and throws Rejected if there are too few.
ThreadCode unroll_loops(const ThreadCode& code, std::uint32_t times, std::uint32_t& points_left);

}  // namespace heddle::sequentialize
