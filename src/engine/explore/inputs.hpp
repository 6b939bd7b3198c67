// Which values to try where a step takes one from outside.
//
// A value that the program only compares with constants falls into finitely many
// classes, and one value of each class stands for all: trying those is exact. Where
// it is used in other ways, a list of likely values is tried, and the search is cut.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "ir/program.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

using machine::ThreadNumber;

struct InputValues {
  std::vector<std::uint64_t> values{};  // never empty; in the order to be tried
  bool exact = false;                   // these stand for every possible value
  bool capped = false;                  // a higher cap would give more of them
};

class Inputs {
 public:
  explicit Inputs(const ir::Program& program);

  // Values for the step that `thread` takes along `edge`; at most `cap` where they are not exact.
  InputValues values(const machine::State& state, ThreadNumber thread, ir::EdgeId edge,
                     const machine::InputRequest& request, std::size_t cap);

 private:
  using Classes = std::optional<std::vector<std::uint64_t>>;
  const Classes& classes(const machine::State& state, ThreadNumber thread, ir::EdgeId edge);
  InputValues guesses(const machine::InputRequest& request, std::size_t cap);
  // All values worth trying for a type, best first.
  const std::vector<std::uint64_t>& likely(ir::TypeId type);

  const ir::Program& program_;
  std::vector<std::uint64_t> compared_;  // constants that integers are compared with, as found
  std::map<ir::TypeId, std::vector<std::uint64_t>> likely_{};
  // By edge and the registers that receive the results of the frames around it.
  std::map<std::vector<std::uint32_t>, Classes> classes_{};
};

}  // namespace heddle::engine::explore
