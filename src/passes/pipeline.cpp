#include "passes/pipeline.hpp"

#include <utility>

#include "passes/dead_code.hpp"
#include "passes/fold.hpp"

namespace heddle::passes {

ir::Program simplify(ir::Program program) {
  // Copies that folding makes useless are dead; what is dead no longer blocks folding.
  for (int round = 0; round < 2; ++round) program = remove_dead_code(fold(std::move(program)));
  return program;
}

}  // namespace heddle::passes
