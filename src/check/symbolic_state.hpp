// What a set of states of a sequential program looks like in bit-vector terms: one term for each
// register, tracked cell and object, and the condition under which execution is here at all.
#pragma once

#include <vector>

#include "smt/term.hpp"

namespace heddle::check {

struct CellTerms {
  smt::Term value{};  // 8 bits a byte; of an unset cell: what a plain load would get
  smt::Term set{};    // one bit
  bool operator==(const CellTerms&) const = default;
};

// The newest object of an Alloc edge.
struct ObjectTerms {
  smt::Term base{};
  smt::Term live{};  // one bit; made, and not ended
  bool operator==(const ObjectTerms&) const = default;
};

struct SymbolicState {
  std::vector<smt::Term> registers{};    // by position in the function
  std::vector<CellTerms> cells{};        // as the invariant numbers them
  std::vector<ObjectTerms> allocated{};  // as Allocations numbers them
  smt::Term guard{};                     // one bit
};

}  // namespace heddle::check
