// The ids of everything a Program holds.
#pragma once

#include "base/ids.hpp"

namespace heddle::ir {

using TypeId = base::Id<struct TypeTag>;
using ExprId = base::Id<struct ExprTag>;
using RegId = base::Id<struct RegTag>;  // unique in the program, owned by one function
using GlobalId = base::Id<struct GlobalTag>;
using LocId = base::Id<struct LocTag>;
using EdgeId = base::Id<struct EdgeTag>;
using FunId = base::Id<struct FunTag>;

}  // namespace heddle::ir
