// Names for the places of the unrolled program: a call or allocation or thread start
// in a certain round of its loops, inside the calls that led there. The same place
// has the same name in every unfolding, whatever the bounds.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "ir/ids.hpp"

namespace heddle::engine::bmc {

using ContextId = base::Id<struct ContextTag>;
// Where a location stands among the locations of its function once loops are unrolled: positions
// and round numbers in turn, compared lexicographically. See loops.hpp.
using LocKey = std::vector<std::uint32_t>;

class Contexts {
 public:
  static ContextId main() { return {0}; }
  ContextId child(ContextId parent, ir::EdgeId edge, const LocKey& key) {
    const auto id = static_cast<std::uint32_t>(ids_.size() + 1);
    return ids_.emplace(std::tuple(parent, edge, key), ContextId{id}).first->second;
  }

 private:
  std::map<std::tuple<ContextId, ir::EdgeId, LocKey>, ContextId> ids_{};
};

}  // namespace heddle::engine::bmc
