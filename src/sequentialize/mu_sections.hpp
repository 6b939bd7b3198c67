// What an atomic section may have written by the time it is at some place. Nobody sees
// any of it before the section ends or waits.
#pragma once

#include <vector>

#include "ir/program.hpp"
#include "sequentialize/mu_cells.hpp"
#include "sequentialize/threads.hpp"

namespace heddle::sequentialize {

class MuSections {
 public:
  MuSections(const ir::Program& program, const std::vector<ThreadCode>& threads,
             const MuCells& cells);

  // In rising order; nothing outside of sections.
  const std::vector<CellIndex>& written(ThreadIndex thread, PointIndex at) const {
    return written_[thread][at];
  }

 private:
  std::vector<std::vector<std::vector<CellIndex>>> written_{};  // by ThreadIndex, PointIndex
};

}  // namespace heddle::sequentialize
