// The pieces that the C printer is made of.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir/c_printer.hpp"
#include "ir/print_expr.hpp"

namespace heddle::ir {

// What main and the constructors need.
struct CParts {
  std::vector<FunId> functions{};  // to be defined, in the program's order
  std::vector<FunId> library{};    // models that they call
  std::vector<FunId> constructors{};
  std::vector<GlobalId> globals{};
  std::vector<TypeId> records{};  // each after those that it contains
};
CParts collect_parts(const Program& program, CForm form);

// Names at file scope: valid in C and unique.
class CNames : public Names {
 public:
  CNames(const Program& program, const CParts& parts);
  std::string reg(RegId id) const override;
  std::optional<std::string> object(RegId id) const override;
  std::string global(GlobalId id) const override;
  std::string function(FunId id) const override;
  std::string field(TypeId record, std::uint32_t index) const override;

  bool taken(const std::string& name) const { return taken_.contains(name); }

 protected:
  const Program& program_;

 private:
  std::string unique(std::string name);

  std::map<GlobalId, std::string> globals_{};
  std::map<FunId, std::string> functions_{};
  std::set<std::string> taken_{};
};

// A string literal that C can write in place.
bool written_in_place(const Program& program, const Global& global);
std::string c_identifier(std::string_view name);
// "anon_2" where the member has no name of its own.
std::string c_field_name(const Field& field, std::uint32_t index);

// Adds declarations of functions that are not defined here, by name.
using Externs = std::map<std::string, std::string>;
// As the compiler expects it; empty for functions that it does not know.
std::string standard_declaration(const Program& program, std::string_view name);
void declare_library(const Program& program, const CNames& names, FunId function, Externs& externs);

std::string record_definition(const Program& program, TypeId record);
std::string global_definition(const Program& program, const CNames& names, GlobalId global);
std::string function_definition(const Program& program, const CNames& names, FunId function,
                                const CStyle& style, Externs& externs);
// A function of which nobody uses more than the address.
std::string function_stub(const Program& program, const CNames& names, FunId function);
// `int f(int x)`, without attributes.
std::string function_declaration(const Program& program, const CNames& names, FunId function);

}  // namespace heddle::ir
