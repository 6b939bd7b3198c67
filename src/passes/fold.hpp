// Constant folding: what is known about registers on every path to an edge
// (constants, addresses, copies of other registers) is put into its expressions,
// and branches that cannot be taken are removed. Ids stay valid.
#pragma once

#include "ir/program.hpp"

namespace heddle::passes {

ir::Program fold(ir::Program program);

}  // namespace heddle::passes
