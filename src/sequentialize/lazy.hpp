// The lazy scheme (after the MPOR thesis and Lazy-CSeq): a program counter for each
// thread, and a loop that lets the threads run in turn, each from where it stopped to
// where it stops next. Statements that commute with all that others may still do go
// with the one before, by falling through inside the thread's block.
#pragma once

#include "passes/future_accesses.hpp"
#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/sequential.hpp"

namespace heddle::sequentialize {

// What the schemes need to know of a program; made once, for any number of bounds.
struct Facts {
  explicit Facts(const ir::Program& program)
      : points_to(passes::analyse_points_to(program)),
        sharedness(program, points_to),
        futures(program, points_to, sharedness) {}

  passes::PointsTo points_to;
  passes::Sharedness sharedness;
  passes::FutureAccesses futures;
};

// Throws Rejected.
Sequential sequentialize_lazily(const ir::Program& program, const Facts& facts,
                                const LazyOptions& options);

}  // namespace heddle::sequentialize
