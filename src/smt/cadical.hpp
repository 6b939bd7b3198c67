// Plain SAT by CaDiCaL.
#pragma once

#include <memory>

#include "smt/sat.hpp"

namespace heddle::smt {

// So many conflicts a question, then the answer is out_of_budget: unlike a time, a limit that is
// the same in every run.
struct Effort {
  int conflicts = -1;  // no limit
};

std::unique_ptr<Sat> make_cadical(Effort effort = {});

}  // namespace heddle::smt
