// Memory unwinding (Tomasco, Inverso, Fischer, La Torre, Parlato, TACAS 2015): guesses
// what happens to shared memory first, and then runs each thread to its end, one after
// the other, along that guess. A thread runs where it is started; what it may not do
// before the others have done their part, it reads from the guess. A violation counts
// once everything that was guessed has been done.
//
// Where we differ from the paper: locks, joins and condition variables need no rules of
// their own, since they are ordinary memory and waits; memory is told apart by address,
// so heap blocks are shared like variables; and what nobody else can notice (before the
// first thread starts, in fresh blocks, in memory of one thread) takes no position.
#pragma once

#include "sequentialize/facts.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::sequentialize {

// Throws Rejected.
Sequential sequentialize_by_unwinding(const ir::Program& program, const Facts& facts,
                                      const MuOptions& options);

}  // namespace heddle::sequentialize
