// Formulas of linear arithmetic over mathematical integers, hash-consed and simplified as they
// are built. Unlike Terms nothing wraps around here: who speaks of C says himself where values
// leave their type. A node is a number or a truth value; its operator tells which.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "smt/range.hpp"

namespace heddle::smt {

struct Integer {
  std::uint32_t id = UINT32_MAX;  // index into Integers; UINT32_MAX: refers to nothing
  constexpr bool valid() const { return id != UINT32_MAX; }
  constexpr auto operator<=>(const Integer&) const = default;
};

// clang-format off
enum class IntegerOp : std::uint8_t {
  // numbers
  constant,    // payload: the value
  variable,    // payload: its number
  add,
  scale,       // payload: the factor
  quotient,    // payload: the divisor, positive; rounds down
  remainder,   // payload: the divisor, positive; never negative
  choose,      // truth, then, else
  // truth values
  yes, no, negation, both, either,
  at_most,     // left <= right
  equal,       // of two numbers
};
// clang-format on

struct IntegerNode {
  IntegerOp op = IntegerOp::constant;
  std::uint8_t arity = 0;
  std::array<Integer, 3> args{};
  Wide payload = 0;
  auto operator<=>(const IntegerNode&) const = default;
  std::span<const Integer> operands() const { return {args.data(), arity}; }
};

class Integers {
 public:
  Integers();

  // Operands come before what is made of them, so a walk by rising id sees them first.
  const IntegerNode& node(Integer of) const { return nodes_[of.id]; }
  std::size_t size() const { return nodes_.size(); }
  bool is_constant(Integer of) const { return node(of).op == IntegerOp::constant; }
  Wide value(Integer constant) const { return node(constant).payload; }
  bool is_yes(Integer truth) const { return truth == yes_; }
  bool is_no(Integer truth) const { return truth == no_; }

  Integer constant(Wide value);
  Integer variable();  // a new one each time
  Integer add(Integer left, Integer right);
  Integer subtract(Integer left, Integer right) { return add(left, scale(right, -1)); }
  Integer scale(Integer number, Wide factor);
  Integer quotient(Integer number, Wide divisor);
  Integer remainder(Integer number, Wide divisor);
  Integer choose(Integer truth, Integer then, Integer otherwise);  // numbers

  Integer yes() const { return yes_; }
  Integer no() const { return no_; }
  Integer negation(Integer truth);
  Integer both(Integer left, Integer right);
  Integer either(Integer left, Integer right);
  Integer at_most(Integer left, Integer right);
  Integer less(Integer left, Integer right) { return negation(at_most(right, left)); }
  Integer equal(Integer left, Integer right);

  // With the variable replaced everywhere. Remembers in `known` what became of each node.
  Integer replace(Integer in, Integer variable, Integer by, std::map<Integer, Integer>& known);
  // Adds the variables that occur; visits only what is not in `seen` yet.
  void collect_variables(Integer in, std::vector<Integer>& variables,
                         std::unordered_set<std::uint32_t>& seen) const;

  // A number as some other number, which may be 0 or a choice, plus a constant.
  struct Shifted {
    Integer base{};  // invalid: 0
    Wide offset = 0;
  };
  Shifted shifted(Integer number) const;

 private:
  Integer rebuild(const IntegerNode& node, const std::array<Integer, 3>& args);
  Integer make(IntegerOp op, std::initializer_list<Integer> args, Wide payload = 0);
  bool chooses_constants(Integer number) const;

  std::vector<IntegerNode> nodes_{};
  struct Hash {
    std::size_t operator()(const IntegerNode& node) const;
  };
  std::unordered_map<IntegerNode, Integer, Hash> known_{};
  std::uint64_t variables_ = 0;
  Integer yes_{}, no_{};
};

}  // namespace heddle::smt
