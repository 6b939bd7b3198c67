// C expressions over mathematical integers. A value of a signed type is its number, any other its
// bits as an unsigned number, an address the number that the machine gives it. Where a result may
// leave its type it is either brought back exactly or, which is easier on the solver, becomes any
// value of the type; either way no value of the machine is left out. Operators without a linear
// meaning give any value.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "ir/program.hpp"
#include "machine/layout.hpp"
#include "smt/integer.hpp"

namespace heddle::engine::sequential {

using smt::Integer;
using smt::Wide;

struct Value {
  Integer expr{};
  Wide low = 0, high = 0;  // bounds, inclusive
  bool computed = false;   // by arithmetic that could go on for ever, as in i + 1
};

// An integer of so many bits.
struct Shape {
  std::uint32_t width = 32;
  bool is_signed = false;
  Wide low() const { return is_signed ? -(Wide{1} << (width - 1)) : 0; }
  Wide high() const { return (Wide{1} << (is_signed ? width - 1 : width)) - 1; }
};
Shape shape_of(const ir::Type& type);

enum class Wrapping {
  any_value,  // what leaves its type becomes any value
  exact,
};

class Arithmetic {
 public:
  // All must outlive it.
  Arithmetic(const ir::Program& program, const machine::Layout& layout, smt::Integers& integers,
             Wrapping wrapping)
      : program_(program), layout_(layout), integers_(integers), wrapping_(wrapping) {}

  // Registers by position in the function.
  Value evaluate(ir::ExprId id, const std::vector<Value>& registers);
  Integer condition(ir::ExprId id, const std::vector<Value>& registers) {
    return truth(evaluate(id, registers));
  }

  Value constant(Wide value);
  Value any(Shape shape);  // a new variable within its bounds
  Value bounded(Wide low, Wide high);
  Value of_truth(Integer truth);
  Integer truth(const Value& value);
  Value add(const Value& left, const Value& right, Shape shape);
  Value subtract(const Value& left, const Value& right, Shape shape);
  Value bitwise(ir::Op op, const Value& left, const Value& right, Shape shape);
  Value convert(const Value& value, Shape to);
  Value choose(Integer truth, const Value& then, const Value& otherwise);
  Integer equal(const Value& left, const Value& right);

  // The variable is the address of a live object of so many bytes.
  void add_base(Integer variable, std::uint64_t size) { bases_[variable] = size; }
  bool is_base(Integer variable) const { return bases_.contains(variable); }

  smt::Integers& integers() { return integers_; }
  // Of the variables that were made here.
  const std::map<Integer, std::pair<Wide, Wide>>& ranges() const { return ranges_; }

 private:
  Value unary(const ir::Expr& expr, const std::vector<Value>& registers);
  Value binary(const ir::Expr& expr, const std::vector<Value>& registers);
  Value compare(ir::Op op, const Value& left, const Value& right);
  Value overflow(ir::Op op, const Value& left, const Value& right, Shape shape);
  Value multiply(const Value& left, const Value& right, Shape shape);
  Value divide(ir::Op op, const Value& left, const Value& right, Shape shape);
  Value shift(ir::Op op, const Value& left, const Value& right, Shape shape);
  Value move_pointer(const ir::Expr& expr, const std::vector<Value>& registers);
  Value fit(Integer exact, Wide low, Wide high, Shape shape);  // back into its type
  bool is_constant(const Value& value) const { return integers_.is_constant(value.expr); }
  const ir::Type& type_of(ir::ExprId id) const { return program_.type(program_.expr(id).type); }

  const ir::Program& program_;
  const machine::Layout& layout_;
  smt::Integers& integers_;
  Wrapping wrapping_;
  std::map<Integer, std::pair<Wide, Wide>> ranges_{};
  std::map<Integer, std::uint64_t> bases_{};
};

}  // namespace heddle::engine::sequential
