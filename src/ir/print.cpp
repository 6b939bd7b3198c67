#include "ir/print.hpp"

#include <fmt/format.h>

#include <map>

#include "ir/print_expr.hpp"
#include "ir/print_statement.hpp"

namespace heddle::ir {
namespace {

std::string escaped(unsigned char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '?':
      return "\\?";  // no trigraphs
    default:
      break;
  }
  if (byte >= 0x20 && byte < 0x7f) return std::string(1, static_cast<char>(byte));
  return fmt::format("\\{:03o}", byte);
}

void print_record(const Program& program, const Type& type, std::string& out) {
  out += fmt::format("{} {}", type.record == RecordKind::struct_record ? "struct" : "union",
                     type.name);
  if (!type.complete) {
    out += " incomplete\n";
    return;
  }
  out += fmt::format(" size {} align {}\n", type.size, type.align);
  for (const Field& field : type.fields) {
    out += fmt::format("  +{}", field.offset);
    if (!field.bits.whole())
      out += fmt::format(":{}..{}", field.bits.offset, field.bits.offset + field.bits.width - 1);
    out +=
        fmt::format(" {}\n", type_to_c(program, field.type, field.name.empty() ? "_" : field.name));
  }
}

void print_global(const Program& program, const ExprPrinter& exprs, const Global& global,
                  std::string& out) {
  out += "global ";
  if (global.storage == Storage::thread) out += "thread-local ";
  if (global.kind == GlobalKind::external) out += "external ";
  if (global.kind == GlobalKind::string_literal) out += "string ";
  out += type_to_c(program, global.type, global.name);
  if (global.source.known()) out += "  @ " + place_to_text(program, global.source);
  out += "\n";
  if (global.kind == GlobalKind::string_literal) {
    out += "  " + string_literal_to_c(program, global) + "\n";
    return;
  }
  for (const Initializer& part : global.initializers) {
    out += fmt::format("  +{}", part.offset);
    if (!part.bits.whole())
      out += fmt::format(":{}..{}", part.bits.offset, part.bits.offset + part.bits.width - 1);
    out += fmt::format(" = {} as {}\n", exprs.value(part.value),
                       type_to_c(program, program.expr(part.value).type, ""));
  }
}

std::string signature(const Program& program, const Function& function) {
  std::string parameters;
  for (const RegId id : function.parameters) {
    if (!parameters.empty()) parameters += ", ";
    parameters += type_to_c(program, program.reg(id).type, program.reg(id).name);
  }
  const Type& type = program.type(function.type);
  if (type.variadic) parameters += parameters.empty() ? "..." : ", ...";
  return type_to_c(program, type.element, fmt::format("{}({})", function.name, parameters));
}

void print_function(const Program& program, const Names& names, FunId id, std::string& out) {
  const Function& function = program.function(id);
  out += "\nfunction " + signature(program, function);
  if (function.origin == Origin::model) out += " model";
  if (function.sync) out += fmt::format(" sync={}", to_string(*function.sync));
  if (program.entry() == id) out += " entry";
  if (program.main() == id) out += " main";
  if (function.source.known()) out += "  @ " + place_to_text(program, function.source);
  out += "\n";
  for (std::size_t i = function.parameters.size(); i < function.registers.size(); ++i) {
    const Register& reg = program.reg(function.registers[i]);
    out += fmt::format("  register {}\n", type_to_c(program, reg.type, reg.name));
  }
  for (const LocId at : function.locations) {
    const Location& location = program.location(at);
    if (location.out.empty() && at != function.entry) continue;
    out += fmt::format(" L{}:{}{}\n", at.value, at == function.entry ? " entry" : "",
                       location.loop_head ? " loop" : "");
    for (const EdgeId edge_id : location.out) {
      const Edge& edge = program.edge(edge_id);
      out += fmt::format("  e{} {} -> L{}", edge_id.value,
                         statement_to_text(program, names, edge.statement), edge.to.value);
      if (edge.source.known()) out += "  @ " + place_to_text(program, edge.source);
      out += "\n";
    }
  }
}

}  // namespace

std::string place_to_text(const Program& program, const base::SourceRange& source) {
  if (!source.known()) return "?";
  return fmt::format("{}:{}", program.file(source.file).name, source.line);
}

std::string string_literal_to_c(const Program& program, const Global& global) {
  const Type& type = program.type(global.type);
  std::map<std::uint64_t, std::uint64_t> bytes;
  for (const Initializer& part : global.initializers)
    bytes[part.offset] = program.expr(part.value).payload;
  std::string text = "\"";
  for (std::uint64_t i = 0; i + 1 < type.size; ++i) {
    const auto at = bytes.find(i);
    text += escaped(at == bytes.end() ? '\0' : static_cast<unsigned char>(at->second));
  }
  return text + "\"";
}

std::string to_text(const Program& program) {
  const SourceNames names(program);
  const ExprPrinter exprs(program, names, ExprStyle::readable);
  std::string out =
      fmt::format("program {}\n", program.data_model() == DataModel::lp64 ? "lp64" : "ilp32");
  for (const SourceFile& file : program.files()) out += fmt::format("file {}\n", file.name);
  for (const Assumption& assumption : program.assumptions())
    out +=
        fmt::format("assumption: {}{}\n", assumption.text,
                    assumption.source.known() ? "  @ " + place_to_text(program, assumption.source)
                                              : std::string());
  for (const Type& type : program.types())
    if (type.kind == TypeKind::record) print_record(program, type, out);
  for (const Global& global : program.globals()) print_global(program, exprs, global, out);
  for (std::uint32_t i = 0; i < program.functions().size(); ++i)
    print_function(program, names, FunId{i}, out);
  return out;
}

}  // namespace heddle::ir
