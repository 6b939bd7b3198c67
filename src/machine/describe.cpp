// Names for objects and places, as the user wrote them.
#include <fmt/format.h>

#include "machine/memory.hpp"

namespace heddle::machine {
namespace {

// Where in an object of this type the offset lies: "[2].next". Ends at a scalar, or where the
// offset falls between the members.
std::string path_within(const ir::Program& program, ir::TypeId id, std::uint64_t offset,
                        ir::BitRange bits) {
  const ir::Type& type = program.type(id);
  if (type.kind == ir::TypeKind::array && program.type(type.element).size != 0) {
    const std::uint64_t size = program.type(type.element).size;
    return fmt::format("[{}]", offset / size) +
           path_within(program, type.element, offset % size, bits);
  }
  if (type.kind != ir::TypeKind::record) return {};
  for (const ir::Field& field : type.fields) {
    if (!field.bits.whole() && (field.bits != bits || field.offset != offset)) continue;
    if (offset < field.offset || offset - field.offset >= program.type(field.type).size) continue;
    const std::string rest = path_within(program, field.type, offset - field.offset, bits);
    return field.name.empty() ? rest : "." + field.name + rest;
  }
  return {};
}

// As a row of these, if they are several.
std::string path_within_row(const ir::Program& program, ir::TypeId element, std::uint64_t bytes,
                            std::uint64_t offset, ir::BitRange bits) {
  const std::uint64_t size = program.type(element).size;
  if (size == 0 || bytes <= size) return path_within(program, element, offset, bits);
  return fmt::format("[{}]", offset / size) + path_within(program, element, offset % size, bits);
}

// What a register points to, if the expression is that register as a pointer to something.
std::optional<ir::TypeId> pointee_of(const ir::Program& program, ir::ExprId id, ir::RegId reg) {
  const ir::TypeId pointee = program.type(program.expr(id).type).element;
  const ir::Expr* expr = &program.expr(id);
  while (expr->op == ir::Op::cast) expr = &program.expr(expr->args[0]);
  if (expr->op != ir::Op::reg || expr->payload != reg.value || !pointee.valid())
    return std::nullopt;
  const ir::TypeKind kind = program.type(pointee).kind;
  if (kind == ir::TypeKind::void_type || kind == ir::TypeKind::function) return std::nullopt;
  return pointee;
}

// What the program takes a new block for, where it first keeps its address.
std::optional<ir::TypeId> element_of(const ir::Program& program, ir::EdgeId allocation) {
  const ir::RegId block = std::get<ir::Alloc>(program.edge(allocation).statement).to;
  for (const ir::LocId at : program.function(program.function_of(allocation)).locations)
    for (const ir::EdgeId edge : program.out(at)) {
      const ir::Statement& statement = program.edge(edge).statement;
      std::optional<ir::TypeId> found;
      if (const auto* assign = std::get_if<ir::Assign>(&statement))
        found = pointee_of(program, assign->value, block);
      if (const auto* store = std::get_if<ir::Store>(&statement))
        found = pointee_of(program, store->value, block);
      if (found) return found;
    }
  return std::nullopt;
}

}  // namespace

std::string Memory::name_of(const Object& object) const {
  if (object.global.valid()) {
    const ir::Global& global = program_.global(object.global);
    return global.kind == ir::GlobalKind::string_literal ? "a string literal"
                                                         : fmt::format("'{}'", global.name);
  }
  const ir::Edge& edge = program_.edge(object.allocated_at);
  const auto& alloc = std::get<ir::Alloc>(edge.statement);
  if (!alloc.name.empty()) return fmt::format("'{}'", alloc.name);
  const char* kind = object.kind == ir::AllocKind::stack   ? "a temporary"
                     : object.kind == ir::AllocKind::frame ? "a block of alloca"
                                                           : "a heap block";
  // A line of the model library, as of its calloc, would say nothing to the user.
  const bool is_users =
      program_.function(program_.function_of(object.allocated_at)).origin == ir::Origin::user;
  return is_users && edge.source.known() ? fmt::format("{} from line {}", kind, edge.source.line)
                                         : kind;
}

std::string Memory::describe(const State& state, Address address, ir::BitRange bits) const {
  const std::optional<Place> place = find(state, address);
  if (!place) return fmt::format("address {:#x}", address);
  const Object& object = *place->object;
  if (object.global.valid()) {
    const ir::Global& global = program_.global(object.global);
    if (global.kind != ir::GlobalKind::string_literal)
      return global.name + path_within(program_, global.type, place->offset, bits);
    return fmt::format("string literal, offset {}", place->offset);
  }
  const ir::Edge& edge = program_.edge(object.allocated_at);
  const auto& alloc = std::get<ir::Alloc>(edge.statement);
  if (!alloc.name.empty()) {
    const ir::TypeId pointee = program_.type(program_.reg(alloc.to).type).element;
    if (!pointee.valid()) return alloc.name;
    return alloc.name +
           path_within_row(program_, pointee, object.bytes.size(), place->offset, bits);
  }
  const std::string text = name_of(object).substr(2);  // without the article
  if (const auto element = element_of(program_, object.allocated_at)) {
    const std::string path =
        path_within_row(program_, *element, object.bytes.size(), place->offset, bits);
    if (!path.empty()) return fmt::format("{}, {}", text, path);
  }
  return place->offset == 0 ? text : text + fmt::format(", offset {}", place->offset);
}

}  // namespace heddle::machine
