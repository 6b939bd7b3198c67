// Terms as circuits: every bit of a term becomes a literal of a SAT solver. Gates
// are hashed and simplified, so equal sub-circuits exist once.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "smt/gates.hpp"
#include "smt/sat.hpp"
#include "smt/term.hpp"

namespace heddle::smt {

class BitBlaster {
 public:
  // Both must outlive the blaster. Terms may grow between calls.
  // `tick` is called for every term that is built, and may throw.
  BitBlaster(
      const Terms& terms, Sat& sat, std::function<void()> tick = [] {})
      : terms_(terms), sat_(sat), tick_(std::move(tick)), gates_(sat) {}

  // Least significant first; the reference stays good. Not recursive over terms.
  const std::vector<Lit>& bits(Term term);
  Lit literal(Term truth) { return bits(truth)[0]; }
  // Gates for the encoder's own use.
  Lit both(Lit left, Lit right) { return gates_.both(left, right); }
  Lit either(Lit left, Lit right) { return gates_.either(left, right); }
  Lit differ(Lit left, Lit right) { return gates_.differ(left, right); }

  // After sat: the value of a term's bits; of a term that was never asked for: 0.
  std::uint64_t value(Term term) const;

  struct Statistics {
    std::uint64_t gates = 0;
  };
  Statistics statistics() const { return {gates_.count()}; }

 private:
  // From the bits of its operands, which exist.
  Bits build(Term term);
  Bits build_binary(const TermNode& node);
  Lit build_truth(const TermNode& node);  // of comparisons and overflows
  const Bits& operand(const TermNode& node, std::size_t index) const {
    return bits_[node.args[index].id];
  }

  const Terms& terms_;
  Sat& sat_;
  std::function<void()> tick_;
  Gates gates_;
  std::deque<Bits> bits_{};  // by term; empty: never asked for. A deque does not move its elements.
};

}  // namespace heddle::smt
