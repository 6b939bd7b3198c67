// Which variables a search keeps the values of. Pointers, temporaries and what the
// model library owns are always kept: control and synchronisation hang on them.
#pragma once

#include <cstdint>
#include <set>

#include "ir/program.hpp"
#include "machine/state.hpp"

namespace heddle::engine::explore {

// A variable of the program: a register, or the memory of a global or of all objects that one
// edge allocates.
struct Variable {
  enum class Kind : std::uint8_t { reg, global, allocation };
  Kind kind = Kind::reg;
  std::uint32_t id = 0;
  auto operator<=>(const Variable&) const = default;

  static Variable of(ir::RegId reg) { return {Kind::reg, reg.value}; }
  static Variable of(const machine::Object& object) {
    if (object.global.valid()) return {Kind::global, object.global.value};
    return {Kind::allocation, object.allocated_at.value};
  }
};

class Precision {
 public:
  static Precision everything() {
    Precision all;
    all.everything_ = true;
    return all;
  }
  static Precision nothing() { return {}; }

  bool keeps_everything() const { return everything_; }
  bool keeps(Variable variable) const { return everything_ || kept_.contains(variable); }
  // True if the precision has become finer.
  bool add(const std::set<Variable>& variables) {
    const std::size_t before = kept_.size();
    kept_.insert(variables.begin(), variables.end());
    return kept_.size() > before;
  }
  std::size_t size() const { return kept_.size(); }

 private:
  bool everything_ = false;
  std::set<Variable> kept_{};
};

}  // namespace heddle::engine::explore
