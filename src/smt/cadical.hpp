// Plain SAT by CaDiCaL.
#pragma once

#include <memory>

#include "smt/sat.hpp"

namespace heddle::smt {

std::unique_ptr<Sat> make_cadical();

}  // namespace heddle::smt
