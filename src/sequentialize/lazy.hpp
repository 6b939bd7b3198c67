// The lazy scheme (after the MPOR thesis and Lazy-CSeq): a program counter for each
// thread, and a loop that lets the threads run in turn, each from where it stopped to
// where it stops next. Statements that commute with all that others may still do go
// with the one before, by falling through inside the thread's block.
#pragma once

#include "sequentialize/facts.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::sequentialize {

// Throws Rejected.
Sequential sequentialize_lazily(const ir::Program& program, const Facts& facts,
                                const LazyOptions& options);

}  // namespace heddle::sequentialize
