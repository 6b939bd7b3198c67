// Shared variables of every shape, and the many ways in which C reads and writes them.
#pragma once

#include <vector>

#include "generate/sketch.hpp"

namespace heddle::generate {

// Declares a variable that starts at zero. Its type suits the guard: an _Atomic one for
// Guard::atomic, a whole integer for Guard::builtin, else also a member, bit-field, array
// element, heap cell or the target of a pointer.
Variable new_variable(Sketch& sketch, Guard guard);
// The same, of at least 16 bits, so that small sums do not wrap.
Variable new_counter(Sketch& sketch, Guard guard);

Expr read(Sketch& sketch, const Variable& variable);
Statement write(Sketch& sketch, const Variable& variable, Expr value);
// Adds a small constant; atomically, where the guard is atomic or builtin.
Statement increase(Sketch& sketch, const Variable& variable, int by);
// The same, but as a read and a write even where the guard is atomic or builtin.
Statement increase_in_two_steps(Sketch& sketch, const Variable& variable, int by);

// An expression over the leaves (each used at most a few times) and constants. Without undefined
// behaviour, if signed overflow wraps.
Expr any_expr(Sketch& sketch, const std::vector<Expr>& leaves, int depth);
// One that is true or false.
Expr any_condition(Sketch& sketch, const std::vector<Expr>& leaves);

}  // namespace heddle::generate
