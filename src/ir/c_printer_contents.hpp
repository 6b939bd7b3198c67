// What memory holds that nobody has written: zero, or anything at all, as C.
#pragma once

#include <string>
#include <vector>

#include "ir/c_printer_statement.hpp"

namespace heddle::ir {

class ContentsPrinter {
 public:
  // All must outlive the printer.
  ContentsPrinter(const Program& program, const FunctionNames& names, Externs& externs)
      : program_(program), names_(names), externs_(externs) {}

  // An expression, for scalars.
  std::string any_value(TypeId id) const;
  // Statements that give any value to every scalar in a place; of a union's members, to those of
  // the largest. Loops count in `index`, which the place must not name.
  std::vector<std::string> any(const std::string& place, TypeId id, const std::string& index) const;
  // A statement in plain C, which needs no library.
  std::string zeroed(const std::string& variable, TypeId id) const;

 private:
  std::vector<std::string> any_members(const std::string& place, TypeId id,
                                       const std::string& index) const;

  const Program& program_;
  const FunctionNames& names_;
  Externs& externs_;
};

// Where that begins which loses its contents: a whole variable, or what the address, as the program
// has it, points to. Of memory around that the text has no name.
ExprId clobbered_place(const Program& program, const FunctionNames& names, ExprId address);
// Whether there is anything in an object of this type to give a value to.
bool has_scalars(const Program& program, TypeId id);

}  // namespace heddle::ir
