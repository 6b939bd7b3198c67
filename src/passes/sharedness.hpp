// Which memory two threads may touch. An object is private as long as its
// address is only in registers and private memory: nobody else can get there.
// Otherwise it is shared if two kinds of threads touch it, or one kind of which
// several threads may run. A kind of thread is a Spawn in its context and what
// it may start; main is one.
#pragma once

#include <vector>

#include "ir/program.hpp"
#include "passes/points_to.hpp"

namespace heddle::passes {

class Sharedness {
 public:
  Sharedness(const ir::Program& program, const PointsTo& points_to);

  // The memory that this edge touches may be touched by another thread.
  bool may_be_shared(ir::EdgeId access) const { return shared_access_[access.value] != 0; }
  // Some object of this Alloc may be touched by another thread than the one that allocated it.
  bool object_may_be_shared(ir::EdgeId allocation) const {
    return shared_allocation_[allocation.value] != 0;
  }
  // The same of one abstract object, if points-to analysis has not given up.
  bool object_may_be_shared(ObjectIndex object) const { return shared_object_[object] != 0; }
  bool global_may_be_shared(ir::GlobalId global) const { return shared_global_[global.value] != 0; }
  // A thread may touch another one's copy of some thread-local variable.
  bool thread_locals_may_be_shared() const { return thread_locals_shared_; }

 private:
  void share_everything();

  std::vector<char> shared_access_{};      // by EdgeId
  std::vector<char> shared_allocation_{};  // by EdgeId
  std::vector<char> shared_object_{};      // by ObjectIndex
  std::vector<char> shared_global_{};      // by GlobalId
  bool thread_locals_shared_ = false;
};

}  // namespace heddle::passes
