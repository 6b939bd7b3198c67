// When one abstract state covers another, and how two become one. Both need the same
// cells on both sides, so known values are lifted into cells first.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "engine/explore/abstract/precision.hpp"
#include "engine/explore/abstract/state.hpp"

namespace heddle::engine::explore {

// How the program has accessed memory so far: where bytes differ between two states, this says
// which of them belong together.
class AccessMap {
 public:
  enum class Use {
    number,     // of the user's program
    untouched,  // pointers, and words that the model library synchronises with: stay known
  };
  void note(Variable object, std::uint64_t offset, std::uint32_t size, Use use);
  // The number that the byte belongs to; nullopt: there is none, or accesses disagree about it.
  struct Part {
    std::uint64_t offset = 0;
    std::uint32_t size = 0;
  };
  std::optional<Part> number_at(Variable object, std::uint64_t offset) const;

 private:
  struct Entry {
    std::uint32_t size = 0;
    Use use = Use::number;
  };
  std::map<Variable, std::map<std::uint64_t, Entry>> entries_{};
};

// All cells, registers and memory, in the order of the store.
using CellList = std::vector<domain::Cell>;

// Makes cells of the listed places; false if the state has cells beside these, or a place is not
// there. The state is not to be used then.
bool lift_to(AbstractState& state, const CellList& cells, const machine::Machine& machine);

enum class Combine { join, widen };
// One state that covers both; nullopt if they differ in more than numbers.
std::optional<AbstractState> combine(const AbstractState& older, const AbstractState& newer,
                                     Combine how, const AccessMap& accesses,
                                     const machine::Machine& machine);

}  // namespace heddle::engine::explore
