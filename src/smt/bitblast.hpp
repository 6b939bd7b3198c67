// Terms as circuits: every bit of a term becomes a literal of a SAT solver. Gates
// are hashed and simplified, so equal sub-circuits exist once.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "smt/sat.hpp"
#include "smt/term.hpp"

namespace heddle::smt {

class BitBlaster {
 public:
  // Both must outlive the blaster. Terms may grow between calls.
  BitBlaster(const Terms& terms, Sat& sat) : terms_(terms), sat_(sat) {}

  const std::vector<Lit>& bits(Term term);  // least significant first. Not recursive over terms.
  Lit literal(Term truth) { return bits(truth)[0]; }
  // Gates for the encoder's own use.
  Lit both(Lit left, Lit right);
  Lit either(Lit left, Lit right) { return ~both(~left, ~right); }
  Lit differ(Lit left, Lit right);

  // After sat: the value of a term's bits; of a term that was never asked for: 0.
  std::uint64_t value(Term term) const;

  struct Statistics {
    std::uint64_t gates = 0;
  };
  const Statistics& statistics() const { return statistics_; }
};

}  // namespace heddle::smt
