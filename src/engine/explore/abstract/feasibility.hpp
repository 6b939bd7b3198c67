// Whether a path that an abstraction has found exists in the program: walks it once
// more with every value as a term over the inputs. If some inputs lead along it, they
// make a trace; if none do, the variables that the contradiction hangs on are what the
// abstraction should have kept.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>

#include "base/budget.hpp"
#include "engine/explore/abstract/precision.hpp"
#include "engine/explore/abstract/search.hpp"
#include "machine/machine.hpp"

namespace heddle::engine::explore {

struct Spurious {
  std::set<Variable> needed{};   // to see that the path does not exist
  std::set<Variable> on_path{};  // all that the path writes
};
struct Unclear {
  std::string why{};
};
using Feasibility = std::variant<verdict::Unsafe, Spurious, Unclear>;

Feasibility check_path(const Candidate& candidate, const machine::Machine& machine);

}  // namespace heddle::engine::explore
