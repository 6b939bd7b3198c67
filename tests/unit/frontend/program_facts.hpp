// Small questions about lowered programs, for the front end's tests.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/frontend.hpp"
#include "ir/print.hpp"
#include "ir/program.hpp"

namespace heddle::frontend::testing {

inline ir::FunId function_named(const ir::Program& program, std::string_view name) {
  for (std::uint32_t i = 0; i < program.functions().size(); ++i)
    if (program.functions()[i].name == name) return {i};
  return {};
}

// The statements on the edges of one function, in the order of its locations.
inline std::vector<ir::Statement> statements(const ir::Program& program, std::string_view name) {
  std::vector<ir::Statement> result;
  for (const ir::LocId at : program.function(function_named(program, name)).locations)
    for (const ir::EdgeId edge : program.out(at)) result.push_back(program.edge(edge).statement);
  return result;
}

template <class Kind>
std::vector<Kind> statements_of(const ir::Program& program, std::string_view name) {
  std::vector<Kind> result;
  for (const ir::Statement& statement : statements(program, name))
    if (const auto* match = std::get_if<Kind>(&statement)) result.push_back(*match);
  return result;
}

inline const ir::Global& global_named(const ir::Program& program, std::string_view name) {
  return *std::find_if(program.globals().begin(), program.globals().end(),
                       [&](const ir::Global& global) { return global.name == name; });
}

inline std::uint64_t constant_of(const ir::Program& program, ir::ExprId id) {
  return program.expr(id).payload;
}

}  // namespace heddle::frontend::testing
