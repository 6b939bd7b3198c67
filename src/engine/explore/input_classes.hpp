// The classes of values that a program cannot tell apart, for a value that enters
// one register and is only copied and compared with constants from there on.
//
// Seen as a circle of 2^width numbers, every comparison with a constant, signed or
// unsigned, changes its answer only at the constant, just after it, at zero and at
// the sign bit. Between two such points all values behave alike.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "ir/program.hpp"

namespace heddle::engine::explore {

class InputClasses {
 public:
  // `results`: the registers that receive what the function of `entered` returns, what its caller
  // returns, and so on outwards; none where a result is dropped.
  InputClasses(const ir::Program& program, ir::RegId entered, std::vector<ir::RegId> results);

  // One value of each class; nullopt if the value is used in a way that we do not follow.
  std::optional<std::vector<std::uint64_t>> representatives();

 private:
  struct Place {
    ir::RegId reg{};
    std::size_t level = 0;  // 0: the function where the value entered, 1: its caller, ...
    auto operator<=>(const Place&) const = default;
  };
  bool follow(const Place& place);
  bool follow_edge(const Place& place, const ir::Edge& edge);
  // True if the expression depends on the register through comparisons with constants only.
  bool only_compared(ir::ExprId expr, ir::RegId reg);
  bool compare(ir::Op op, ir::ExprId value, ir::ExprId constant, ir::RegId reg);
  bool is_value(ir::ExprId expr, ir::RegId reg) const;
  void enter(Place place);

  const ir::Program& program_;
  ir::RegId entered_;
  std::vector<ir::RegId> results_;
  std::vector<Place> pending_{};
  std::set<Place> seen_{};
  std::set<std::uint64_t> boundaries_{};
};

}  // namespace heddle::engine::explore
