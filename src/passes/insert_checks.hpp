// Makes what a property asks about explicit: before each edge that computes in
// signed integers, a branch to a Fail where the exact result does not fit.
#pragma once

#include "ir/program.hpp"

namespace heddle::passes {

// Signed +, -, *, negation, / and % of user functions, in `int` and wider. Unsigned and pointer
// arithmetic and conversions cannot overflow in C's sense. An operand of `?:`, `&&` or `||` counts
// only where it is evaluated. After the Fail the value wraps around.
ir::Program insert_overflow_checks(ir::Program program);

}  // namespace heddle::passes
