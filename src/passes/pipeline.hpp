// The standard order of the passes that run before every engine.
#pragma once

#include "ir/program.hpp"

namespace heddle::passes {

// The same executions, as far as any property can tell, in fewer steps. Ids stay valid.
// Checks are inserted before this, never after: folding hides where a value came from.
ir::Program simplify(ir::Program program);

}  // namespace heddle::passes
