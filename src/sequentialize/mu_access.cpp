#include "sequentialize/mu_access.hpp"

#include <fmt/format.h>

#include "base/check.hpp"
#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;

MuAccesses::MuAccesses(Emitter& emitter, const Program& program, ThreadEmitter& steps,
                       const MuCells& cells, const MuSections& sections, MuVariables& variables,
                       MuMemory& memory, const std::vector<RegId>& touched)
    : emitter_(emitter),
      program_(program),
      steps_(steps),
      cells_(cells),
      sections_(sections),
      variables_(variables),
      memory_(memory),
      touched_(touched),
      address_(emitter.scalar("address", emitter.build().size_type())) {
  if (memory.has_later_blocks())
    later_ = emitter.scalar("allocated_later", emitter.build().bool_type());
}

// ---- which cell ------------------------------------------------------------------

// `address_` holds the address.
ExprId MuAccesses::is_there(const MuAccess& access, CellIndex cell) {
  ProgramBuilder& build = emitter_.build();
  const ExprId wanted = emitter_.value(address_);
  const auto size = [&](std::uint64_t number) { return build.constant(build.size_type(), number); };
  if (!access.offset)
    return build.binary(Op::le, build.binary(Op::sub, wanted, memory_.address(cell)),
                        size(cells_.cells()[cell].bytes - access.bytes));
  const ExprId start = memory_.address(cell);
  return build.binary(
      Op::eq, wanted,
      *access.offset == 0 ? start : build.binary(Op::add, start, size(*access.offset)));
}

MuAccesses::Place MuAccesses::place(const MuAccess& access, CellIndex cell) {
  ProgramBuilder& build = emitter_.build();
  if (cells_.cells()[cell].bytes == access.bytes) return {cell, std::nullopt};
  const TypeId type = memory_.type(cell);
  if (access.offset) return {cell, build.constant(type, *access.offset)};
  const ExprId offset = build.binary(Op::sub, emitter_.value(address_), memory_.address(cell));
  return {cell, build.cast(type, offset)};
}

// Where the access is in a unit of memory that is found.
ExprId MuAccesses::offset(const MuAccess& access, std::uint32_t unit) {
  ProgramBuilder& build = emitter_.build();
  const TypeId size = build.size_type();
  if (access.offset) return build.constant(size, *access.offset);
  return build.binary(Op::bit_and, emitter_.value(address_), build.constant(size, unit - 1));
}

// The access is not to one such unit alone.
ExprId MuAccesses::is_split(const MuAccess& access, std::uint32_t unit) {
  ProgramBuilder& build = emitter_.build();
  const TypeId size = build.size_type();
  const ExprId in_unit =
      build.binary(Op::bit_and, emitter_.value(address_), build.constant(size, unit - 1));
  if (access.offset) return build.binary(Op::ne, in_unit, build.constant(size, *access.offset));
  return build.binary(Op::lt, build.constant(size, unit - access.bytes), in_unit);
}

void MuAccesses::with_cell(StepRef at, ExprId address, const MuExits& exits, const Use& use) {
  ProgramBuilder& build = emitter_.build();
  const MuAccess& access = cells_.access(at.thread, at.step);
  const ExprId there = build.cast(build.size_type(), steps_.renamed(at, address));
  bool fixed = access.offset && !access.anywhere;
  passes::for_each_register(program_, address, [&](RegId) { fixed = false; });
  if (fixed && access.known.size() == 1 && access.found.empty())
    return use(place(access, access.known[0]));
  emitter_.assign(address_, there, steps_.edge(at).source);
  const LocId after = emitter_.fresh();
  // The last one is taken if no other is it, right or wrong: a way out of here would look like a
  // way out of every loop around.
  for (std::size_t i = 0; i < access.known.size(); ++i) {
    const CellIndex cell = access.known[i];
    const LocId hit = emitter_.fresh();
    const bool last = access.found.empty() && i + 1 == access.known.size();
    if (last) {
      exits.note(build.negation(is_there(access, cell)), outside_of_objects);
      emitter_.jump(hit);
    } else {
      emitter_.branch(is_there(access, cell), hit);
    }
    const LocId next = last ? emitter_.fresh() : emitter_.here();
    emitter_.go_on_at(hit);
    use(place(access, cell));
    emitter_.jump(after);
    emitter_.go_on_at(next);
  }
  if (!access.found.empty()) {
    const std::uint32_t unit = cells_.cells()[access.found[0]].bytes;
    if (unit > 1) exits.note(is_split(access, unit), "an access that is not aligned");
  }
  for (std::size_t i = 0; i < access.found.size(); ++i) {
    const CellIndex cell = access.found[i];
    const LocId hit = emitter_.fresh(), unused = emitter_.fresh();
    const bool last = i + 1 == access.found.size();
    emitter_.branch(build.negation(memory_.is_found(cell)), unused);
    if (last) {
      exits.note(build.negation(is_there(access, cell)),
                 "bound: more shared memory than provided for");
      emitter_.jump(hit);
    } else {
      emitter_.branch(is_there(access, cell), hit);
    }
    const LocId next = last ? emitter_.fresh() : emitter_.here();
    emitter_.go_on_at(unused);
    claim(at, cell, address, exits);
    emitter_.jump(hit);
    use(place(access, cell));
    emitter_.jump(after);
    emitter_.go_on_at(next);
  }
  emitter_.go_on_at(after);
}

void MuAccesses::claim(StepRef at, CellIndex cell, ExprId address, const MuExits& exits) {
  ProgramBuilder& build = emitter_.build();
  const MuAccess& access = cells_.access(at.thread, at.step);
  const std::uint32_t unit = cells_.cells()[cell].bytes;
  const bool whole = unit == access.bytes;
  ExprId start = emitter_.value(address_), pointer = steps_.renamed(at, address);
  if (!whole) {
    const ExprId before = offset(access, unit);
    const TypeId bytes = build.pointer_to(build.int_type(8, false));
    start = build.binary(Op::sub, start, before);
    const TypeId distance = build.int_type(build.type(build.size_type()).width, true);
    pointer = build.ptr_add(build.cast(bytes, pointer),
                            build.unary(Op::neg, build.cast(distance, before)));
    pointer = build.cast(build.pointer_to(memory_.type(cell)), pointer);
  }
  const TypeId type = whole ? program_.pointee(address) : memory_.type(cell);
  const auto [entry, fresh] = values_.try_emplace(type);
  if (fresh) entry->second = emitter_.scalar("first_value", type);
  const LocId after = emitter_.fresh();
  if (memory_.has_later_blocks()) {
    const LocId later = emitter_.fresh();
    emitter_.emit(Havoc{later_});
    emitter_.branch(emitter_.value(later_), later);
    const LocId now = emitter_.here();
    emitter_.go_on_at(later);
    emitter_.emit(Havoc{entry->second});
    memory_.await_block(cell);
    emitter_.jump(after);
    emitter_.go_on_at(now);
  }
  if (const auto early = variables_.comes_too_early(at)) exits.note(*early, outside_of_objects);
  emitter_.emit_to(after, Load{entry->second, pointer}, steps_.edge(at).source);
  memory_.find(cell, start, build.cast(memory_.type(cell), emitter_.value(entry->second)));
}

// What only the thread itself writes it finds the same wherever it is.
RegId MuAccesses::read(StepRef at, CellIndex cell, Placing placing) {
  if (cells_.cells()[cell].writer == at.thread) placing = Placing::together;
  const TypeId type = memory_.type(cell);
  const auto [entry, fresh] = values_.try_emplace(type);
  if (fresh) entry->second = emitter_.scalar("value_read", type);
  const RegId to = entry->second;
  emitter_.assign(to, memory_.read(at.thread, cell, placing), steps_.edge(at).source);
  return to;
}

void MuAccesses::note_touch(StepRef at, Placing placing) {
  if (placing == Placing::together) emitter_.assign(touched_[at.thread], 1);
}

// ---- parts of cells ----------------------------------------------------------------

ExprId MuAccesses::part_of(ExprId unit, const Place& place, std::uint32_t bytes) {
  if (!place.part) return unit;
  ProgramBuilder& build = emitter_.build();
  const ExprId bits =
      build.binary(Op::mul, *place.part, build.constant(memory_.type(place.cell), 8));
  return build.cast(build.int_type(8 * bytes, false), build.binary(Op::shr, unit, bits));
}

// The unit once the part has this value, whose type is as wide as the part.
ExprId MuAccesses::with_part(ExprId unit, const Place& place, ExprId value) {
  if (!place.part) return value;
  ProgramBuilder& build = emitter_.build();
  const TypeId type = memory_.type(place.cell);
  const std::uint64_t ones = (std::uint64_t{1} << build.type_of(value).width) - 1;
  const ExprId bits = build.binary(Op::mul, *place.part, build.constant(type, 8));
  const ExprId mask = build.binary(Op::shl, build.constant(type, ones), bits);
  return build.binary(Op::bit_or, build.binary(Op::bit_and, unit, build.unary(Op::bit_not, mask)),
                      build.binary(Op::shl, build.cast(type, value), bits));
}

ExprId MuAccesses::extracted(ExprId unit, TypeId result, BitRange bits) {
  ProgramBuilder& build = emitter_.build();
  if (bits.whole()) return build.cast(result, unit);
  const Type type = build.type(result);
  const std::uint32_t width = build.type_of(unit).width;
  const TypeId raw = build.int_type(width, type.is_signed);
  const ExprId up = build.binary(Op::shl, build.cast(raw, unit),
                                 build.constant(raw, width - bits.offset - bits.width));
  return build.cast(result, build.binary(Op::shr, up, build.constant(raw, width - bits.width)));
}

ExprId MuAccesses::inserted(ExprId unit, ExprId value, BitRange bits) {
  ProgramBuilder& build = emitter_.build();
  const TypeId type = build.expr(unit).type;
  if (bits.whole()) return build.cast(type, value);
  const std::uint64_t ones =
      bits.width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits.width) - 1;
  const ExprId mask = build.constant(type, ones << bits.offset);
  const ExprId moved =
      build.binary(Op::shl, build.cast(type, value), build.constant(type, bits.offset));
  return build.binary(Op::bit_or, build.binary(Op::bit_and, unit, build.unary(Op::bit_not, mask)),
                      build.binary(Op::bit_and, moved, mask));
}

// ---- the four kinds --------------------------------------------------------------

void MuAccesses::load(StepRef at, const Load& load, Placing placing, const MuExits& exits) {
  const RegId to = steps_.renamed(at, load.to);
  const TypeId type = program_.reg(load.to).type;
  with_cell(at, load.address, exits, [&](const Place& place) {
    const RegId unit = read(at, place.cell, placing);
    const ExprId part = part_of(emitter_.value(unit), place, bytes(at));
    const EdgeId made =
        emitter_.emit(Assign{to, extracted(part, type, load.bits)}, steps_.edge(at).source);
    emitter_.stands_for(made, steps_.origin(at));
  });
  note_touch(at, placing);
}

void MuAccesses::store(StepRef at, const Store& store, Placing placing, const MuExits& exits) {
  const ExprId value = steps_.renamed(at, store.value);
  with_cell(at, store.address, exits, [&](const Place& place) {
    const CellIndex cell = place.cell;
    if (store.bits.whole() && !place.part) {
      memory_.write(at.thread, cell, emitter_.build().cast(memory_.type(cell), value), placing,
                    exits.full);
      return;
    }
    if (placing == Placing::alone) memory_.begin_section(at.thread);
    const RegId unit = read(at, cell, Placing::together);
    const ExprId before = emitter_.value(unit);
    const ExprId after = inserted(part_of(before, place, bytes(at)), value, store.bits);
    emitter_.assign(unit, with_part(before, place, after));
    memory_.write(at.thread, cell, emitter_.value(unit), Placing::together, exits.full);
    if (placing == Placing::alone) memory_.end_section(at.thread, {cell});
  });
  done(at);
  note_touch(at, placing);
}

// In the cell's own unsigned type, which gives the same bits.
ExprId MuAccesses::updated(const Update& update, StepRef at, ExprId before) {
  ProgramBuilder& build = emitter_.build();
  const ExprId operand = build.cast(build.expr(before).type, steps_.renamed(at, update.operand));
  switch (update.op) {
    case RmwOp::exchange:
    case RmwOp::compare_exchange:
      return operand;
    case RmwOp::add:
      return build.binary(Op::add, before, operand);
    case RmwOp::sub:
      return build.binary(Op::sub, before, operand);
    case RmwOp::bit_and:
      return build.binary(Op::bit_and, before, operand);
    case RmwOp::bit_or:
      return build.binary(Op::bit_or, before, operand);
    case RmwOp::bit_xor:
      return build.binary(Op::bit_xor, before, operand);
    case RmwOp::nand:
      return build.unary(Op::bit_not, build.binary(Op::bit_and, before, operand));
  }
  CHECK(false, "every operator has a meaning");
  return before;
}

void MuAccesses::update(StepRef at, const Update& update, Placing placing, const MuExits& exits) {
  ProgramBuilder& build = emitter_.build();
  const TypeId type = program_.pointee(update.address);
  const RegId before = emitter_.scalar("value_before", type);
  with_cell(at, update.address, exits, [&](const Place& place) {
    const TypeId whole = memory_.type(place.cell);
    if (placing == Placing::alone) memory_.begin_section(at.thread);
    const RegId unit = read(at, place.cell, Placing::together);
    const ExprId part = part_of(emitter_.value(unit), place, bytes(at));
    emitter_.assign(before, build.cast(type, part));
    const LocId written = emitter_.fresh();
    if (update.op == RmwOp::compare_exchange)
      emitter_.branch(
          build.binary(Op::ne, emitter_.value(before), steps_.renamed(at, update.expected)),
          written);
    ExprId after = updated(update, at, part);
    if (program_.type(type).kind == TypeKind::boolean)
      after = build.binary(Op::bit_and, after, build.constant(build.expr(part).type, 1));
    const auto [entry, fresh] = updated_.try_emplace(whole);
    if (fresh) entry->second = emitter_.scalar("value_after", whole);
    emitter_.assign(entry->second, with_part(emitter_.value(unit), place, after));
    memory_.write(at.thread, place.cell, emitter_.value(entry->second), Placing::together,
                  exits.full);
    emitter_.jump(written);
    if (placing == Placing::alone) memory_.end_section(at.thread, {place.cell});
  });
  const RegId to = steps_.renamed(at, update.before);
  const EdgeId made = emitter_.emit(
      Assign{to, build.cast(program_.reg(update.before).type, emitter_.value(before))},
      steps_.edge(at).source);
  emitter_.stands_for(made, steps_.origin(at));
  note_touch(at, placing);
}

// A section that has seen shared memory and then waits lets others run in between; one that has
// not might as well have begun later.
void MuAccesses::await(StepRef at, const Await& await, Placing placing, const MuExits& exits) {
  ProgramBuilder& build = emitter_.build();
  const RegId loaded = steps_.renamed(at, await.loaded);
  const TypeId type = program_.reg(await.loaded).type;
  const ExprId condition = steps_.renamed(at, await.condition);
  const LocId passed = emitter_.fresh();
  with_cell(at, await.address, exits, [&](const Place& place) {
    const auto look = [&](Placing how) {
      const ExprId unit = emitter_.value(read(at, place.cell, how));
      emitter_.assign(loaded, build.cast(type, part_of(unit, place, bytes(at))),
                      steps_.edge(at).source);
      emitter_.branch(condition, passed, steps_.edge(at).source);
    };
    look(placing);
    if (placing == Placing::together) {
      emitter_.branch(build.negation(emitter_.value(touched_[at.thread])), exits.stop);
      memory_.end_section(at.thread, sections_.written(at.thread, steps_.step(at).from));
      memory_.begin_section(at.thread);
      look(placing);
    }
    emitter_.jump(exits.stop);
    emitter_.go_on_at(emitter_.fresh());
  });
  // What comes after a cell that blocks for good is never reached.
  emitter_.go_on_at(passed);
  done(at);
  note_touch(at, placing);
}

}  // namespace heddle::sequentialize
