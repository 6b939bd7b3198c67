#include "engine/sequential/memory_map.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"

namespace heddle::engine::sequential {

MemoryMap::MemoryMap(const ir::Program& program, const machine::Memory& memory)
    : program_(program), memory_(memory) {
  const machine::Layout& layout = memory.layout();
  for (std::uint32_t i = 0; i < program.globals().size(); ++i) {
    const ir::Global& global = program.globals()[i];
    Object object;
    object.global = {i};
    object.size = program.type(global.type).size;
    const bool own = global.storage == ir::Storage::thread;
    const auto copy = own ? layout.thread_copy(0, {i}) : std::nullopt;
    object.address = copy ? *copy : layout.global({i});
    object.read_only = global.kind == ir::GlobalKind::string_literal;
    object.may_be_unset = global.kind == ir::GlobalKind::external;
    objects_.push_back(object);
  }
  first_allocation_ = objects_.size();
  bool clobbers = false;
  for (const ir::LocId at : program.function(program.entry()).locations)
    for (const ir::EdgeId edge : program.out(at)) {
      const ir::Statement& statement = program.edge(edge).statement;
      clobbers = clobbers || std::holds_alternative<ir::Clobber>(statement);
      const auto* alloc = std::get_if<ir::Alloc>(&statement);
      if (alloc == nullptr) continue;
      Object object;
      object.allocation = edge;
      const ir::Expr& size = program.expr(alloc->size);
      object.size = size.op == ir::Op::constant ? size.payload : 0;
      object.kind = alloc->kind;
      object.contents = alloc->contents;
      object.may_be_unset = alloc->contents == ir::Contents::unset;
      objects_.push_back(object);
    }
  if (clobbers)
    for (Object& object : objects_) object.may_be_unset = true;
}

void MemoryMap::make_bases(Arithmetic& arithmetic) {
  const machine::Arena arena = memory_.layout().arena(0);
  for (std::size_t i = first_allocation_; i < objects_.size(); ++i) {
    Object& object = objects_[i];
    object.base =
        arithmetic.bounded(static_cast<Wide>(arena.base),
                           static_cast<Wide>(arena.model_end) - static_cast<Wide>(object.size));
    arithmetic.add_base(object.base.expr, object.size);
  }
}

std::optional<std::size_t> MemoryMap::object_of(ir::EdgeId allocation) const {
  for (std::size_t i = first_allocation_; i < objects_.size(); ++i)
    if (objects_[i].allocation == allocation) return i;
  return std::nullopt;
}

std::vector<std::size_t> MemoryMap::cells_of(std::size_t object) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (cells_[i].object == object) found.push_back(i);
  return found;
}

namespace {

// The summands of a number.
void summands(const smt::Integers& integers, Integer of, std::vector<Integer>& out) {
  const smt::IntegerNode& node = integers.node(of);
  if (node.op != smt::IntegerOp::add) return out.push_back(of);
  for (const Integer operand : node.operands()) summands(integers, operand, out);
}

}  // namespace

std::optional<Place> MemoryMap::find(Arithmetic& arithmetic, const Value& address) const {
  smt::Integers& integers = arithmetic.integers();
  Place place;
  std::optional<Integer> start;
  std::vector<Integer> parts;
  summands(integers, address.expr, parts);
  for (std::size_t i = first_allocation_; i < objects_.size(); ++i)
    if (std::find(parts.begin(), parts.end(), objects_[i].base.expr) != parts.end()) {
      if (start) return std::nullopt;
      place.object = i;
      start = objects_[i].base.expr;
    }
  if (!start)
    for (std::size_t i = 0; i < first_allocation_; ++i) {
      const Wide low = static_cast<Wide>(objects_[i].address);
      const Wide end = low + static_cast<Wide>(std::max<std::uint64_t>(1, objects_[i].size));
      if (address.high < low || address.low >= end) continue;
      if (start) return std::nullopt;
      place.object = i;
      start = integers.constant(low);
    }
  if (!start) return std::nullopt;
  place.distance = integers.subtract(address.expr, *start);
  const auto [base, offset] = integers.shifted(place.distance);
  const Wide size = static_cast<Wide>(objects_[place.object].size);
  if (!base.valid()) {
    if (offset < 0 || offset > size) return std::nullopt;
    place.offset = static_cast<std::uint64_t>(offset);
    return place;
  }
  const smt::IntegerNode& node = integers.node(base);
  if (node.op == smt::IntegerOp::scale && node.payload > 1 && node.payload <= size) {
    place.stride = static_cast<std::uint64_t>(node.payload);
    place.first =
        static_cast<std::uint64_t>(((offset % node.payload) + node.payload) % node.payload);
  }
  return place;
}

bool MemoryMap::forgotten(std::size_t object, std::uint64_t offset, std::uint64_t bytes) const {
  const auto found = forgotten_.find(object);
  if (found == forgotten_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [&](const Bytes& part) {
    return part.offset < offset + bytes && offset < part.offset + part.size;
  });
}

void MemoryMap::forget(std::size_t object, std::uint64_t offset, std::uint64_t bytes) {
  Bytes part{offset, bytes};
  for (;;) {  // until no cell lies across the edge of what is forgotten
    const auto overlaps = [&](const CellInfo& cell) {
      return cell.object == object && cell.offset < part.offset + part.size &&
             part.offset < cell.offset + cell.bytes;
    };
    const auto hit = std::find_if(cells_.begin(), cells_.end(), overlaps);
    if (hit == cells_.end()) break;
    const std::uint64_t end = std::max(part.offset + part.size, hit->offset + hit->bytes);
    part.offset = std::min(part.offset, hit->offset);
    part.size = end - part.offset;
    cells_.erase(hit);
    grown_ = true;
  }
  if (!forgotten(object, offset, bytes)) grown_ = true;
  forgotten_[object].push_back(part);
}

std::optional<std::size_t> MemoryMap::cell(std::size_t object, std::uint64_t offset,
                                           const ir::Type& type) {
  const auto bytes = static_cast<std::uint32_t>(type.size);
  if (forgotten(object, offset, bytes)) return std::nullopt;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const CellInfo& cell = cells_[i];
    if (cell.object != object) continue;
    if (cell.offset == offset && cell.bytes == bytes) return i;
    if (cell.offset < offset + bytes && offset < cell.offset + cell.bytes) {
      forget(object, offset, bytes);
      return std::nullopt;
    }
  }
  if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) return std::nullopt;
  cells_.push_back({object, offset, bytes, shape_of(type).is_signed});
  grown_ = true;
  return std::nullopt;  // states do not have it yet
}

std::optional<Wide> MemoryMap::initial(const CellInfo& cell) const {
  const machine::Object object = memory_.fresh_global(objects_[cell.object].global);
  if (!object.set.empty()) return std::nullopt;
  std::uint64_t bits = 0;
  std::memcpy(&bits, object.bytes.data() + cell.offset, cell.bytes);
  const Wide value = static_cast<Wide>(bits);
  return value > cell.shape().high() ? value - (Wide{1} << (cell.bytes * 8)) : value;
}

}  // namespace heddle::engine::sequential
