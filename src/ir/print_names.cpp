// What things are called in reports: as in the user's source.
#include <algorithm>

#include "ir/print.hpp"
#include "ir/print_expr.hpp"

namespace heddle::ir {

SourceNames::SourceNames(const Program& program) : program_(program) {
  for (const Function& function : program.functions()) find_objects(function);
  std::sort(objects_.begin(), objects_.end());
}

SourceNames::SourceNames(const Program& program, FunId function) : program_(program) {
  find_objects(program.function(function));
  std::sort(objects_.begin(), objects_.end());
}

void SourceNames::find_objects(const Function& function) {
  for (const LocId location : function.locations)
    for (const EdgeId edge : program_.out(location))
      if (const auto* alloc = std::get_if<Alloc>(&program_.edge(edge).statement))
        if (!alloc->name.empty()) objects_.emplace_back(alloc->to, alloc->name);
}

std::string SourceNames::reg(RegId id) const { return program_.reg(id).name; }

std::optional<std::string> SourceNames::object(RegId id) const {
  const auto at = std::lower_bound(objects_.begin(), objects_.end(), std::pair{id, std::string()});
  if (at == objects_.end() || at->first != id) return std::nullopt;
  return at->second;
}

std::string SourceNames::global(GlobalId id) const {
  const Global& global = program_.global(id);
  return global.kind == GlobalKind::string_literal ? string_literal_to_c(program_, global)
                                                   : global.name;
}

std::string SourceNames::function(FunId id) const { return program_.function(id).name; }

std::string SourceNames::field(TypeId record, std::uint32_t index) const {
  return program_.type(record).fields[index].name;
}

}  // namespace heddle::ir
