// What each thread may still touch from each of its places on, as bits: one for each
// piece of memory that two threads touch and one of them writes (pieces share a bit
// where there are more than 63; the last bit is no piece).
#pragma once

#include <cstdint>
#include <vector>

#include "passes/future_accesses.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

struct Future {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  void add(const Future& more) {
    reads |= more.reads;
    writes |= more.writes;
  }
  bool operator==(const Future&) const = default;
};

// Stands beside the pieces of memory: a thread that has just started needs no conflict to go on.
inline constexpr std::uint64_t may_go_on_bit = std::uint64_t{1} << 63;
inline constexpr Future everything{~may_go_on_bit, ~may_go_on_bit};

class Conflicts {
 public:
  Conflicts(const ir::Program& program, const passes::FutureAccesses& accesses,
            const std::vector<ThreadCode>& threads);

  // From the place on, the threads started from there included.
  const Future& future(ThreadIndex thread, PointIndex at) const { return futures_[thread][at]; }
  // The place itself and those inside of the atomic section that begins there.
  std::vector<PointIndex> section(ThreadIndex thread, PointIndex at) const;
  // The next step of the thread.
  Future of_steps(ThreadIndex thread, PointIndex at) const;
  // That step, or all of the atomic section that begins there.
  Future next(ThreadIndex thread, PointIndex at) const;
  // That step or section may block, end the execution or end the process.
  bool may_stop(ThreadIndex thread, PointIndex at) const;

 private:
  void number_cells();
  std::vector<passes::CellIndex> ended_cells(ThreadIndex thread, const CodeStep& step) const;
  Future of_step(ThreadIndex thread, const CodeStep& step) const;
  bool update(ThreadIndex thread);

  const ir::Program& program_;
  const passes::FutureAccesses& accesses_;
  const std::vector<ThreadCode>& threads_;
  std::vector<std::uint64_t> bits_{};  // by CellIndex; 0: no two threads conflict there
  std::vector<std::vector<Future>> futures_{};
};

}  // namespace heddle::sequentialize
