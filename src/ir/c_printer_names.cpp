// What things are called in printed C.
#include <fmt/format.h>

#include <array>
#include <cctype>

#include "ir/c_printer_parts.hpp"
#include "ir/print.hpp"

namespace heddle::ir {

std::string c_identifier(std::string_view name) {
  std::string text;
  for (const char c : name)
    text += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) != 0)
    text = std::string("v") + text;
  return text;
}

std::string c_field_name(const Field& field, std::uint32_t index) {
  return field.name.empty() ? fmt::format("anon_{}", index) : field.name;
}

bool written_in_place(const Program& program, const Global& global) {
  if (global.kind != GlobalKind::string_literal) return false;
  const Type& type = program.type(global.type);
  return type.kind == TypeKind::array && type.complete && program.type(type.element).size == 1;
}

namespace {

// Functions that gcc knows without a declaration and whose names are short enough for variables;
// it warns of those at file scope.
constexpr std::array compiler_names{
    "abort", "abs",    "alloca", "bcmp",  "bzero", "ceil",  "cos",    "div",   "drem",
    "erf",   "exit",   "exp",    "exp10", "exp2",  "ffs",   "floor",  "fma",   "fmax",
    "fmin",  "fmod",   "free",   "gamma", "hypot", "index", "j0",     "j1",    "jn",
    "labs",  "lgamma", "log",    "log10", "log2",  "logb",  "pow",    "pow10", "putc",
    "puts",  "rindex", "rint",   "round", "scalb", "sin",   "sincos", "sinh",  "sqrt",
    "tan",   "tanh",   "trunc",  "y0",    "y1",    "yn"};

}  // namespace

CNames::CNames(const Program& program, const CParts& parts) : program_(program) {
  // Library names are fixed; ours give way.
  for (const FunId id : parts.library) functions_[id] = unique(program.function(id).name);
  taken_.insert(compiler_names.begin(), compiler_names.end());
  for (const FunId id : parts.functions)
    functions_[id] = unique(c_identifier(program.function(id).name));
  for (const GlobalId id : parts.globals)
    if (!written_in_place(program, program.global(id)))
      globals_[id] = unique(c_identifier(program.global(id).name));
}

std::string CNames::unique(std::string name) {
  std::string candidate = name;
  for (int suffix = 2; !taken_.insert(candidate).second; ++suffix)
    candidate = fmt::format("{}_{}", name, suffix);
  return candidate;
}

std::string CNames::reg(RegId id) const { return c_identifier(program_.reg(id).name); }
std::optional<std::string> CNames::object(RegId) const { return std::nullopt; }

std::string CNames::global(GlobalId id) const {
  const auto at = globals_.find(id);
  return at != globals_.end() ? at->second : string_literal_to_c(program_, program_.global(id));
}

std::string CNames::function(FunId id) const {
  const auto at = functions_.find(id);
  return at != functions_.end() ? at->second : c_identifier(program_.function(id).name);
}

std::string CNames::field(TypeId record, std::uint32_t index) const {
  return c_field_name(program_.type(record).fields[index], index);
}

}  // namespace heddle::ir
