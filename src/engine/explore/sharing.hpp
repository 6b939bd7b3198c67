// The sharing facts that the points-to analysis gives.
#pragma once

#include "engine/explore/locality.hpp"
#include "ir/program.hpp"
#include "passes/points_to.hpp"
#include "passes/sharedness.hpp"

namespace heddle::engine::explore {

class StaticSharing : public SharingFacts {
 public:
  StaticSharing(const ir::Program& program, const passes::PointsTo& points_to)
      : sharedness_(program, points_to) {}

  const passes::Sharedness& sharedness() const { return sharedness_; }

  bool access_may_be_shared(ir::EdgeId access) const override {
    return sharedness_.may_be_shared(access);
  }
  bool object_may_be_shared(ir::EdgeId allocation) const override {
    return sharedness_.object_may_be_shared(allocation);
  }
  bool thread_locals_may_be_shared() const override {
    return sharedness_.thread_locals_may_be_shared();
  }

 private:
  passes::Sharedness sharedness_;
};

}  // namespace heddle::engine::explore
