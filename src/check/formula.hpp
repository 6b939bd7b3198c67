// Formulas of an invariant over integers, as bit-vector terms that mean exactly the same: sums are
// computed in as many bits as they can ever need, so that nothing wraps around.
#pragma once

#include <optional>
#include <vector>

#include "check/symbolic_state.hpp"
#include "ir/program.hpp"
#include "smt/term.hpp"
#include "verdict/invariant.hpp"

namespace heddle::check {

// Where the terms of a state stand for the variables of an invariant.
class InvariantReader {
 public:
  // All must outlive it. By variable: its Alloc edge's number, for base and is_live.
  InvariantReader(const ir::Program& program, const verdict::InductiveInvariant& invariant,
                  const std::vector<std::size_t>& allocation_of, smt::Terms& terms)
      : program_(program), invariant_(invariant), allocation_of_(allocation_of), terms_(terms) {}

  // nullopt: a sum gets too large for us.
  std::optional<smt::Term> formula(const SymbolicState& state, std::uint32_t index);

  smt::Term& variable(SymbolicState& state, std::uint32_t index) const;
  smt::Term variable(const SymbolicState& state, std::uint32_t index) const;
  bool is_signed(std::uint32_t variable) const;

 private:
  struct Bounds {
    verdict::Number low = 0, high = 0;
  };
  // 128 bits, of which the upper half says how the lower one goes on.
  struct Long {
    smt::Term low{}, high{};
  };

  std::optional<smt::Term> compound(const SymbolicState& state, const verdict::Formula& formula);
  std::optional<smt::Term> compare(const SymbolicState& state, const verdict::Formula& formula);
  std::optional<Bounds> bounds(const SymbolicState& state, const verdict::Formula& formula) const;
  smt::Term narrow_sum(const SymbolicState& state, const verdict::Formula& formula,
                       std::uint32_t width);
  Long wide_sum(const SymbolicState& state, const verdict::Formula& formula);
  Long wide(verdict::Number constant);
  Long plus(Long left, Long right);
  Long times(Long value, verdict::Number factor);
  Long minus(Long value);

  const ir::Program& program_;
  const verdict::InductiveInvariant& invariant_;
  const std::vector<std::size_t>& allocation_of_;
  smt::Terms& terms_;
};

}  // namespace heddle::check
