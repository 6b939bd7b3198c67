// Takes out what no execution can notice: writes to registers that are never
// read afterwards, branches whose arms do the same, steps that do nothing, and
// the bodies of functions that nothing refers to. Every access to memory stays,
// since it may fault or race. Ids stay valid.
#pragma once

#include "ir/program.hpp"

namespace heddle::passes {

ir::Program remove_dead_code(ir::Program program);

}  // namespace heddle::passes
