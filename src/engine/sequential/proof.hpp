// From nodes and the formulas found for them to an invariant that anybody can check: at each cut
// point one of its nodes' formulas holds.
#pragma once

#include <map>
#include <vector>

#include "engine/sequential/explorer.hpp"
#include "verdict/invariant.hpp"

namespace heddle::engine::sequential {

// By node: a formula over some of its arguments, given as variables of their own.
struct NodeFormula {
  Integer formula{};
  std::vector<Integer> formals{};
  std::vector<VariableIndex> arguments{};  // that these stand for
};

verdict::InductiveInvariant write_invariant(const ir::Program& program, const MemoryMap& map,
                                            const Graph& graph, const smt::Integers& integers,
                                            const std::vector<NodeFormula>& formulas);

}  // namespace heddle::engine::sequential
