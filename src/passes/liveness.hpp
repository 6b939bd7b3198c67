// Which registers may still be read before they are written again, at each
// location of one function. Backward bit-vector analysis over the automaton.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/program.hpp"

namespace heddle::passes {

class Liveness {
 public:
  Liveness(const ir::Program& program, ir::FunId function);

  bool live(ir::LocId at, ir::RegId reg) const;

 private:
  using Row = std::vector<std::uint64_t>;

  bool update(const ir::Program& program, ir::LocId at);

  const ir::Program& program_;
  std::size_t words_ = 0;                  // of one row
  std::vector<Row> rows_{};                // by position among the function's locations
  std::vector<std::uint32_t> position_{};  // of a location, by LocId - first_
  std::uint32_t first_ = 0;
  bool too_big_ = false;  // then everything counts as live
};

}  // namespace heddle::passes
