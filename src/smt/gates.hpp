// Logic gates as clauses of a SAT solver. A gate with the same inputs exists once, and
// constants, equal and opposite inputs make no gate at all.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "smt/sat.hpp"

namespace heddle::smt {

using Bits = std::vector<Lit>;  // least significant first

class Gates {
 public:
  explicit Gates(Sat& sat) : sat_(sat) {}  // must outlive the gates

  Lit yes() const { return sat_.yes(); }
  Lit no() const { return sat_.no(); }

  Lit both(Lit left, Lit right);
  Lit either(Lit left, Lit right) { return ~both(~left, ~right); }
  Lit differ(Lit left, Lit right);
  Lit all(std::span<const Lit> literals);
  Lit none(std::span<const Lit> literals);
  Lit choose(Lit condition, Lit then, Lit otherwise);
  // Of a full adder: whether an odd number, and whether at least two of the three hold.
  Lit odd(Lit first, Lit second, Lit third);
  Lit majority(Lit first, Lit second, Lit third);

  std::uint64_t count() const { return count_; }

 private:
  enum class Kind : std::int32_t { both, differ, choose, odd, majority };
  struct Key {
    std::array<std::int32_t, 4> parts;  // kind, then inputs
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept;
  };
  struct InputsHash {
    std::size_t operator()(const Bits& inputs) const noexcept;
  };
  struct Found {
    Lit output{};
    bool is_new = false;  // then its clauses are still to be added
  };
  Found find(Kind kind, Lit first, Lit second, Lit third);
  bool constant(Lit literal) const { return sat_.constant(literal); }

  Sat& sat_;
  std::unordered_map<Key, Lit, KeyHash> gates_{};
  std::unordered_map<Bits, Lit, InputsHash> conjunctions_{};  // of three and more, sorted
  std::uint64_t count_ = 0;
};

}  // namespace heddle::smt
