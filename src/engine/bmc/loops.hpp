// The loops of one function, nested, and a linear order of its locations in which
// every loop is one piece (Bourdoncle's weak topological order). Unrolled code is
// executed in this order, so that all paths that meet are merged before going on.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/bmc/contexts.hpp"
#include "ir/program.hpp"

namespace heddle::engine::bmc {

class Loops {
 public:
  Loops(const ir::Program& program, ir::FunId function);

  // The heads of the loops around a location, outermost first; a head is in its own loop.
  const std::vector<ir::LocId>& around(ir::LocId at) const { return place(at).heads; }
  bool is_head(ir::LocId at) const { return !around(at).empty() && around(at).back() == at; }
  // How many loops around both; every other loop is left or entered.
  std::size_t common(ir::LocId from, ir::LocId to) const;
  // `rounds`: the round of each loop around the location.
  LocKey key(ir::LocId at, const std::vector<std::uint32_t>& rounds) const;

 private:
  struct Place {
    std::uint32_t position = 0;
    std::vector<ir::LocId> heads{};
  };
  const Place& place(ir::LocId at) const { return places_[index(at)]; }
  std::uint32_t index(ir::LocId at) const { return index_[at.value - first_]; }
  struct Decomposition;

  std::uint32_t first_ = 0;             // lowest LocId of the function
  std::vector<std::uint32_t> index_{};  // by LocId - first_
  std::vector<Place> places_{};
};

}  // namespace heddle::engine::bmc
