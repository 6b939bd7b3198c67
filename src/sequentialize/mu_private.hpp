// Accesses that need no place in a memory unwinding, since nobody else can tell when
// they happen: those of main before it starts the first thread, and writes to a block
// that has just been allocated and that nobody else knows of yet.
#pragma once

#include <vector>

#include "ir/program.hpp"
#include "sequentialize/options.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

class PrivateAccesses {
 public:
  PrivateAccesses(const ir::Program& program, const std::vector<ThreadCode>& threads,
                  Switch fresh_blocks);

  // Some path to the place has started a thread, or the place is not main's.
  bool concurrent(ThreadIndex thread, PointIndex at) const {
    return thread != 0 || concurrent_[at] != 0;
  }
  // The load or store goes to a block that no other thread has heard of, and no thread has been
  // started since the block was allocated.
  bool to_fresh_block(ThreadIndex thread, StepIndex step) const {
    return fresh_[thread][step] != 0;
  }

 private:
  void find_concurrent(const ThreadCode& main);
  void find_fresh(const ThreadCode& code, std::vector<char>& fresh);

  const ir::Program& program_;
  std::vector<char> concurrent_{};          // by PointIndex of main
  std::vector<std::vector<char>> fresh_{};  // by ThreadIndex, StepIndex
};

}  // namespace heddle::sequentialize
