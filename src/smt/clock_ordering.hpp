// Ordering by plain SAT: every node has a time in binary, and order is comparison of
// times. Slow and obviously right: the second opinion on the ordering theory.
#pragma once

#include <memory>

#include "smt/ordering.hpp"

namespace heddle::smt {

std::unique_ptr<Ordering> make_clock_ordering();

}  // namespace heddle::smt
