#include "ir/graphviz.hpp"

#include <fmt/format.h>

#include "ir/print.hpp"
#include "ir/print_expr.hpp"
#include "ir/print_statement.hpp"

namespace heddle::ir {
namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

bool leaves(const Statement& statement) {
  return std::holds_alternative<Return>(statement) || std::holds_alternative<Exit>(statement) ||
         std::holds_alternative<Unsupported>(statement);
}

std::vector<bool> locations_used(const Program& program, const Function& function) {
  std::vector<bool> used(program.locations().size(), false);
  std::vector<LocId> work{function.entry};
  used[function.entry.value] = true;
  while (!work.empty()) {
    const LocId at = work.back();
    work.pop_back();
    for (const EdgeId id : program.out(at)) {
      const LocId to = program.edge(id).to;
      if (used[to.value]) continue;
      used[to.value] = true;
      work.push_back(to);
    }
  }
  return used;
}

void print_function(const Program& program, const Names& names, std::uint32_t index,
                    std::string& out) {
  const Function& function = program.function(FunId{index});
  const std::vector<bool> used = locations_used(program, function);
  out += fmt::format("  subgraph cluster_{} {{\n    label={};\n", index, quoted(function.name));
  for (const LocId at : function.locations) {
    if (!used[at.value]) continue;
    const Location& location = program.location(at);
    const std::string_view shape = at == function.entry ? "box"
                                   : location.loop_head ? "doublecircle"
                                                        : "circle";
    out += fmt::format("    l{0} [label=\"{0}\", shape={1}];\n", at.value, shape);
    for (const EdgeId id : location.out) {
      const Edge& edge = program.edge(id);
      std::string label = statement_to_text(program, names, edge.statement);
      if (edge.source.known()) label += fmt::format("\nline {}", edge.source.line);
      out += fmt::format("    l{} -> l{} [label={}{}];\n", at.value, edge.to.value, quoted(label),
                         leaves(edge.statement) ? ", style=dashed" : "");
    }
  }
  out += "  }\n";
}

}  // namespace

std::string to_dot(const Program& program, GraphScope scope) {
  const SourceNames names(program);
  std::string out = "digraph program {\n  node [fontsize=10];\n  edge [fontsize=10];\n";
  for (std::uint32_t i = 0; i < program.functions().size(); ++i)
    if (scope == GraphScope::user_and_models || program.function(FunId{i}).origin == Origin::user)
      print_function(program, names, i, out);
  return out + "}\n";
}

}  // namespace heddle::ir
