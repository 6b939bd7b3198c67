#include "ir/builder.hpp"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/check.hpp"
#include "ir/validate.hpp"

namespace heddle::ir {
namespace {

// Two types with the same shape are the same type. Records go by name alone, so
// that a record may refer to itself.
std::string shape_of(const Type& type) {
  switch (type.kind) {
    case TypeKind::void_type:
      return "void";
    case TypeKind::boolean:
      return "bool";
    case TypeKind::integer:
      return fmt::format("{}{}", type.is_signed ? 'i' : 'u', type.width);
    case TypeKind::floating:
      return fmt::format("f{}", type.width);
    case TypeKind::pointer:
      return fmt::format("p{}", type.element.value);
    case TypeKind::array:
      return type.complete ? fmt::format("a{}x{}", type.element.value, type.count)
                           : fmt::format("a{}x?", type.element.value);
    case TypeKind::record:
      return "r" + type.name;
    case TypeKind::function:
      break;
  }
  std::string shape = fmt::format("fn{}", type.element.value);
  for (const TypeId parameter : type.parameters) shape += fmt::format(",{}", parameter.value);
  return type.variadic ? shape + ",..." : shape;
}

}  // namespace

ProgramBuilder::ProgramBuilder(DataModel model) { program_.data_model_ = model; }

ProgramBuilder::ProgramBuilder(Program program) : program_(std::move(program)) {
  for (std::uint32_t i = 0; i < program_.types_.size(); ++i)
    types_by_shape_.emplace(shape_of(program_.types_[i]), TypeId{i});
  for (std::uint32_t i = 0; i < program_.exprs_.size(); ++i)
    exprs_by_shape_.emplace(program_.exprs_[i], ExprId{i});
  for (const Global& global : program_.globals_) names_.emplace(global.name, 2);
  for (const Function& function : program_.functions_) names_.emplace(function.name, 2);
}

// ---- types -------------------------------------------------------------------

TypeId ProgramBuilder::intern(Type type) {
  const auto [at, fresh] = types_by_shape_.emplace(
      shape_of(type), TypeId{static_cast<std::uint32_t>(program_.types_.size())});
  if (fresh) program_.types_.push_back(std::move(type));
  return at->second;
}

TypeId ProgramBuilder::void_type() { return intern({.kind = TypeKind::void_type, .size = 1}); }

TypeId ProgramBuilder::bool_type() {
  return intern({.kind = TypeKind::boolean, .size = 1, .width = 1});
}

TypeId ProgramBuilder::int_type(std::uint32_t width, bool is_signed) {
  const std::uint32_t bytes = width / 8;
  const std::uint32_t align = program_.data_model_ == DataModel::ilp32 && bytes > 4 ? 4 : bytes;
  return intern({.kind = TypeKind::integer,
                 .size = bytes,
                 .align = align,
                 .width = width,
                 .is_signed = is_signed});
}

TypeId ProgramBuilder::float_type(std::uint32_t width) {
  CHECK(width == 32 || width == 64, "long double is rejected by the front end");
  const std::uint32_t align = program_.data_model_ == DataModel::ilp32 ? 4 : width / 8;
  return intern({.kind = TypeKind::floating, .size = width / 8, .align = align, .width = width});
}

TypeId ProgramBuilder::pointer_to(TypeId pointee) {
  const std::uint32_t bytes = program_.data_model_ == DataModel::ilp32 ? 4 : 8;
  return intern({.kind = TypeKind::pointer,
                 .size = bytes,
                 .align = bytes,
                 .width = bytes * 8,
                 .element = pointee});
}

TypeId ProgramBuilder::array_of(TypeId element, std::uint64_t count) {
  return intern({.kind = TypeKind::array,
                 .size = type(element).size * count,
                 .align = type(element).align,
                 .element = element,
                 .count = count});
}

TypeId ProgramBuilder::incomplete_array_of(TypeId element) {
  return intern({.kind = TypeKind::array,
                 .align = type(element).align,
                 .complete = false,
                 .element = element});
}

TypeId ProgramBuilder::function_type(TypeId result, std::vector<TypeId> parameters, bool variadic) {
  return intern({.kind = TypeKind::function,
                 .size = 1,
                 .element = result,
                 .parameters = std::move(parameters),
                 .variadic = variadic});
}

TypeId ProgramBuilder::declare_record(RecordKind kind, std::string_view name) {
  return intern({.kind = TypeKind::record,
                 .complete = false,
                 .record = kind,
                 .name = unique(std::string("struct ") + std::string(name)).substr(7)});
}

void ProgramBuilder::complete_record(TypeId record, std::vector<Field> fields, std::uint64_t size,
                                     std::uint32_t align) {
  Type& type = program_.types_[record.value];
  CHECK(type.kind == TypeKind::record && !type.complete, "a record is completed once");
  type.fields = std::move(fields);
  type.size = size;
  type.align = align;
  type.complete = true;
  // Arrays of it may have been named before its size was known. An array's id is above its
  // element's, so one pass reaches arrays of arrays too.
  std::set<TypeId> grown{record};
  for (std::uint32_t i = record.value + 1; i < program_.types_.size(); ++i) {
    Type& array = program_.types_[i];
    if (array.kind != TypeKind::array || !grown.contains(array.element)) continue;
    array.size = program_.types_[array.element.value].size * array.count;
    array.align = program_.types_[array.element.value].align;
    grown.insert(TypeId{i});
  }
}

TypeId ProgramBuilder::size_type() {
  return int_type(program_.data_model_ == DataModel::ilp32 ? 32 : 64, false);
}

// ---- program parts -----------------------------------------------------------

std::string ProgramBuilder::unique(std::string name) {
  const auto [at, fresh] = names_.emplace(name, 2);
  if (fresh) return name;
  for (;;) {
    std::string candidate = fmt::format("{}_{}", name, at->second++);
    if (names_.emplace(candidate, 2).second) return candidate;
  }
}

base::FileId ProgramBuilder::add_file(SourceFile file) {
  program_.files_.push_back(std::move(file));
  return {static_cast<std::uint32_t>(program_.files_.size() - 1)};
}

GlobalId ProgramBuilder::add_global(Global global) {
  global.name = unique(std::move(global.name));
  program_.globals_.push_back(std::move(global));
  return {static_cast<std::uint32_t>(program_.globals_.size() - 1)};
}

FunId ProgramBuilder::declare_function(std::string name, TypeId type, Origin origin) {
  const FunId id{static_cast<std::uint32_t>(program_.functions_.size())};
  Function function;
  function.name = unique(std::move(name));
  function.type = type;
  function.origin = origin;
  program_.functions_.push_back(std::move(function));
  return id;
}

RegId ProgramBuilder::add_register(FunId function, std::string name, TypeId type) {
  const RegId id{static_cast<std::uint32_t>(program_.registers_.size())};
  Function& owner = program_.functions_[function.value];
  program_.registers_.push_back({.name = std::move(name),
                                 .type = type,
                                 .function = function,
                                 .index = static_cast<std::uint32_t>(owner.registers.size())});
  owner.registers.push_back(id);
  return id;
}

RegId ProgramBuilder::add_parameter(FunId function, std::string name, TypeId type) {
  Function& owner = program_.functions_[function.value];
  CHECK(owner.parameters.size() == owner.registers.size(), "parameters come first in a frame");
  const RegId id = add_register(function, std::move(name), type);
  owner.parameters.push_back(id);
  return id;
}

RegId ProgramBuilder::add_temporary(FunId function, TypeId type) {
  const std::size_t index = program_.functions_[function.value].registers.size();
  const RegId id = add_register(function, fmt::format("%{}", index), type);
  program_.registers_[id.value].temporary = true;
  return id;
}

LocId ProgramBuilder::add_location(FunId function) {
  const LocId id{static_cast<std::uint32_t>(program_.locations_.size())};
  program_.locations_.push_back({.function = function, .out = {}, .loop_head = false});
  program_.functions_[function.value].locations.push_back(id);
  return id;
}

EdgeId ProgramBuilder::add_edge(LocId from, LocId to, Statement statement,
                                base::SourceRange source) {
  const EdgeId id{static_cast<std::uint32_t>(program_.edges_.size())};
  program_.edges_.push_back({from, to, std::move(statement), source});
  program_.locations_[from.value].out.push_back(id);
  return id;
}

void ProgramBuilder::remove_edge(EdgeId edge) {
  std::erase(program_.locations_[program_.edges_[edge.value].from.value].out, edge);
}

void ProgramBuilder::add_assumption(std::string text, base::SourceRange source) {
  for (const Assumption& known : program_.assumptions_)
    if (known.text == text) return;  // the first place is enough
  program_.assumptions_.push_back({std::move(text), source});
}

void ProgramBuilder::set_function_entry(FunId function, LocId entry) {
  program_.functions_[function.value].entry = entry;
}

Program ProgramBuilder::finish() && {
  mark_loop_heads(program_.functions_, program_.locations_, program_.edges_);
  validate(program_);
  return std::move(program_);
}

}  // namespace heddle::ir
