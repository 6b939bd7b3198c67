// Which steps no other thread can notice, and which cannot notice any other thread.
// Such a step commutes with everything that the others do, so it need not be
// interleaved: the search takes it at once.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/explore/options.hpp"
#include "ir/program.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

using machine::ThreadNumber;

// What is known about memory before the program runs.
class SharingFacts {
 public:
  virtual ~SharingFacts() = default;
  // Of an edge that touches memory: whether another thread may touch the same memory.
  virtual bool access_may_be_shared(ir::EdgeId access) const = 0;
  // Of an Alloc: whether another thread may ever touch the object.
  virtual bool object_may_be_shared(ir::EdgeId allocation) const = 0;
  // Whether a thread may touch another one's copy of some thread-local variable.
  virtual bool thread_locals_may_be_shared() const = 0;
};

// Knows nothing: all memory is shared.
class EverythingShared : public SharingFacts {
 public:
  bool access_may_be_shared(ir::EdgeId) const override { return true; }
  bool object_may_be_shared(ir::EdgeId) const override { return true; }
  bool thread_locals_may_be_shared() const override { return true; }
};

class Locality {
 public:
  Locality(const ir::Program& program, const SharingFacts& facts, LocalSteps local_steps);

  // The thread's next step is local. Whether it can be taken at all (an Assume may not hold)
  // is another matter.
  bool local(const machine::State& state, ThreadNumber thread, ir::EdgeId next) const;
  // The step touches memory that others may touch.
  bool shared_access(ir::EdgeId edge) const { return touches_shared_[edge.value] != 0; }
  // The step touches memory at all.
  bool access(ir::EdgeId edge) const { return touches_memory_[edge.value] != 0; }
  // Of an Alloc: others may touch the object.
  bool object_may_be_shared(ir::EdgeId edge) const { return object_is_shared_[edge.value] != 0; }
  bool thread_locals_may_be_shared() const { return shares_thread_locals_; }

 private:
  enum class Kind : std::uint8_t {
    local,
    visible,
    ends_frame,   // Return: the objects of the frame cease to exist
    ends_thread,  // Exit of the thread: the objects of all its frames do
    renews,       // stack Alloc: the object that the same edge made before ceases to exist
  };
  Kind classify(ir::EdgeId edge, const SharingFacts& facts) const;
  bool shares_objects(const machine::Frame& frame) const;

  const ir::Program& program_;
  LocalSteps local_steps_;
  std::vector<Kind> kinds_;                   // by EdgeId
  std::vector<std::uint8_t> touches_memory_;  // by EdgeId
  std::vector<std::uint8_t> touches_shared_;  // by EdgeId
  bool shares_thread_locals_;
  std::vector<std::uint8_t> object_is_shared_;  // by EdgeId of the Alloc
};

}  // namespace heddle::engine::explore
