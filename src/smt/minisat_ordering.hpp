// Ordering by MiniSat with the ordering theory inside its search: the fast one.
#pragma once

#include <memory>

#include "smt/ordering.hpp"
#include "smt/ordering_theory.hpp"

namespace heddle::smt {

std::unique_ptr<Ordering> make_theory_ordering(const TheoryOptions& options = {});

}  // namespace heddle::smt
