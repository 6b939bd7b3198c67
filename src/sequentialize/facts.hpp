// What the schemes need to know of a program; made once, for any number of bounds.
#pragma once

#include "ir/program.hpp"
#include "passes/future_accesses.hpp"
#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"

namespace heddle::sequentialize {

struct Facts {
  explicit Facts(const ir::Program& program)
      : points_to(passes::analyse_points_to(program)),
        sharedness(program, points_to),
        futures(program, points_to, sharedness) {}

  passes::PointsTo points_to;
  passes::Sharedness sharedness;
  passes::FutureAccesses futures;
};

}  // namespace heddle::sequentialize
