#include "laws/world.hpp"

#include "smt/fold.hpp"

namespace heddle::laws {
namespace {

using ir::Op;

bool is_power_of_two(std::uint32_t width) { return (width & (width - 1)) == 0; }

}  // namespace

World::World(Rng& rng, Widths widths)
    : builder_(rng.chance(50) ? ir::DataModel::lp64 : ir::DataModel::ilp32) {
  ir::ProgramBuilder& b = builder_;
  function_ = b.declare_function("f", b.function_type(b.void_type(), {}, false), ir::Origin::user);
  const ir::LocId entry = b.add_location(function_);
  b.set_function_entry(function_, entry);
  b.add_edge(entry, entry, ir::Return{}, {});
  b.set_entry(function_);
  b.set_main(function_);
  make_types(rng, widths);
  for (const ir::TypeId type : types_) {
    const int count = rng.between(1, 2);
    for (int i = 0; i < count; ++i) registers_.push_back(b.add_register(function_, "r", type));
  }
  make_memory(rng, widths);
  for (const ir::RegId reg : registers_) reads_[reg] = b.reg(reg);
  for (int i = 0; i < 12; ++i) exprs_.push_back(expr(rng, rng.pick(types_), rng.between(1, 3)));
  for (int i = 0; i < 12; ++i) conditions_.push_back(condition(rng, rng.between(1, 3)));
  for (const ir::RegId reg : registers_) exprs_.push_back(reads_.at(reg));
  program_ = std::move(builder_).finish();
  layout_.emplace(*program_);
}

void World::make_types(Rng& rng, Widths widths) {
  ir::ProgramBuilder& b = builder_;
  int_ = b.int_type(32, true);
  types_ = {b.bool_type()};
  if (widths == Widths::small) {
    for (int i = 0; i < 3; ++i)
      types_.push_back(b.int_type(static_cast<std::uint32_t>(rng.between(1, 8)), rng.chance(50)));
    return;
  }
  types_.push_back(int_);
  for (int i = 0; i < 3; ++i) {
    static const std::vector<std::uint32_t> common = {8, 16, 32, 64};
    const auto width =
        rng.chance(60) ? rng.pick(common) : static_cast<std::uint32_t>(rng.between(1, 64));
    types_.push_back(b.int_type(width, rng.chance(50)));
  }
  if (rng.chance(40)) types_.push_back(b.float_type(rng.chance(50) ? 32 : 64));
  int_pointer_ = b.pointer_to(int_);
  const ir::TypeId record = b.declare_record(ir::RecordKind::struct_record, "s");
  b.complete_record(
      record, {{"a", int_, 0, {}}, {"b", b.int_type(8, true), 4, {}}, {"c", int_, 8, {}}}, 12, 4);
  record_pointer_ = b.pointer_to(record);
  if (rng.chance(40)) {
    types_.push_back(int_pointer_);
    types_.push_back(record_pointer_);
    b.add_global({.name = "g", .type = int_});
  }
}

// Whole accesses of a boolean or integer, or a bit-field; sometimes two views of the same bytes.
void World::make_memory(Rng& rng, Widths widths) {
  std::uint64_t address = 0x1000;
  for (int i = 0; i < 3; ++i) {
    MemoryCell made;
    const std::uint32_t bytes = widths == Widths::small ? 1 : 1U << rng.between(0, 3);
    const std::uint32_t width = 8 * bytes;
    made.type = bytes == 1 && rng.chance(30) ? builder_.bool_type()
                                             : builder_.int_type(width, rng.chance(50));
    if (rng.chance(40)) {
      const std::uint32_t most = builder_.type(made.type).width;
      made.bits.width = static_cast<std::uint32_t>(rng.between(1, static_cast<int>(most)));
      made.bits.offset = static_cast<std::uint32_t>(rng.below(width - made.bits.width + 1));
    }
    const std::uint32_t offset = made.bits.offset % 8;
    made.cell.kind = Cell::Kind::memory;
    made.cell.place = address;
    made.cell.width = static_cast<std::uint8_t>(
        made.bits.whole() ? width : (offset + made.bits.width + 7) / 8 * 8);
    made.reg = builder_.add_register(function_, "m", made.type);
    registers_.push_back(made.reg);
    types_.push_back(made.type);
    memory_.push_back(made);
    address += 16;
  }
}

std::uint64_t World::number(Rng& rng, std::uint32_t width) {
  const std::uint64_t all = smt::mask_of(width);
  switch (rng.below(6)) {
    case 0:
      return rng.below(4) & all;
    case 1:
      return (0 - rng.below(4)) & all;
    case 2:
      return (smt::top_bit(width) + rng.below(4) - 2) & all;
    case 3:
      return rng.below(256) & all;
    default:
      return rng.next() & all;
  }
}

ir::ExprId World::leaf(Rng& rng, ir::TypeId type) {
  std::vector<ir::RegId> fitting;
  for (const ir::RegId reg : registers_)
    if (builder_.view().reg(reg).type == type) fitting.push_back(reg);
  if (!fitting.empty() && rng.chance(80)) return builder_.reg(rng.pick(fitting));
  if (type == int_pointer_ && !builder_.view().globals().empty() && rng.chance(50))
    return builder_.global_address({0});
  return builder_.constant(type, number(rng, builder_.type(type).width));
}

ir::ExprId World::expr(Rng& rng, ir::TypeId type, int depth) {
  if (depth == 0 || rng.chance(15)) return leaf(rng, type);
  const ir::Type shape = builder_.type(type);
  if (rng.chance(15))
    return builder_.select(condition(rng, depth - 1), expr(rng, type, depth - 1),
                           expr(rng, type, depth - 1));
  if (shape.kind == ir::TypeKind::pointer) return pointer_expr(rng, type, depth);
  if (shape.kind == ir::TypeKind::boolean) return condition(rng, depth);
  if (rng.chance(20)) {
    const ir::TypeId from = rng.pick(types_);
    return builder_.cast(type, expr(rng, from, depth - 1));
  }
  return number_expr(rng, type, depth);
}

ir::ExprId World::number_expr(Rng& rng, ir::TypeId type, int depth) {
  const ir::Type shape = builder_.type(type);
  const auto operand = [&] { return expr(rng, type, depth - 1); };
  if (shape.kind == ir::TypeKind::floating) {
    static const std::vector<Op> ops = {Op::add, Op::sub, Op::mul, Op::div};
    if (rng.chance(20)) return builder_.unary(Op::neg, operand());
    return builder_.binary(rng.pick(ops), operand(), operand());
  }
  if (rng.chance(20)) return builder_.unary(rng.chance(50) ? Op::neg : Op::bit_not, operand());
  if (is_power_of_two(shape.width) && rng.chance(20)) {
    ir::TypeId by = rng.pick(types_);
    if (!builder_.type(by).integral()) by = type;
    return builder_.binary(rng.chance(50) ? Op::shl : Op::shr, operand(), expr(rng, by, depth - 1));
  }
  if (int_pointer_.valid() && type == int_ && rng.chance(10))
    return builder_.ptr_diff(int_, expr(rng, record_pointer_, depth - 1),
                             expr(rng, record_pointer_, depth - 1));
  static const std::vector<Op> ops = {Op::add, Op::add, Op::sub,     Op::sub,    Op::mul,
                                      Op::div, Op::rem, Op::bit_and, Op::bit_or, Op::bit_xor};
  return builder_.binary(rng.pick(ops), operand(), operand());
}

ir::ExprId World::pointer_expr(Rng& rng, ir::TypeId type, int depth) {
  if (type == int_pointer_ && rng.chance(40))
    return builder_.field(expr(rng, record_pointer_, depth - 1), rng.chance(50) ? 0 : 2);
  ir::TypeId index = rng.pick(types_);
  if (!builder_.type(index).integral()) index = int_;
  return builder_.ptr_add(expr(rng, type, depth - 1), expr(rng, index, depth - 1));
}

ir::ExprId World::condition(Rng& rng, int depth) {
  const ir::TypeId truth = builder_.bool_type();
  if (depth == 0) return leaf(rng, truth);
  switch (rng.below(8)) {
    case 0:
      return builder_.unary(Op::logical_not, condition(rng, depth - 1));
    case 1:
      return builder_.select(condition(rng, depth - 1), condition(rng, depth - 1),
                             builder_.constant(truth, rng.below(2)));
    case 2:
      return builder_.select(condition(rng, depth - 1), builder_.constant(truth, rng.below(2)),
                             condition(rng, depth - 1));
    default:
      break;
  }
  const ir::TypeId type = rng.pick(types_);
  static const std::vector<Op> real = {Op::eq, Op::ne, Op::lt, Op::le};
  static const std::vector<Op> integral = {Op::eq,
                                           Op::ne,
                                           Op::lt,
                                           Op::le,
                                           Op::lt,
                                           Op::le,
                                           Op::add_overflows,
                                           Op::sub_overflows,
                                           Op::mul_overflows};
  const bool number = builder_.type(type).kind == ir::TypeKind::integer;
  return builder_.binary(rng.pick(number ? integral : real), expr(rng, type, depth - 1),
                         expr(rng, type, depth - 1));
}

Cell World::cell(ir::RegId reg) const {
  const ir::Register& found = program_->reg(reg);
  Cell made;
  made.width = static_cast<std::uint8_t>(program_->type(found.type).width);
  made.place = found.index;
  return made;
}

std::vector<Cell> World::cells() const {
  std::vector<Cell> result;
  for (const ir::RegId reg : registers_) result.push_back(cell(reg));
  for (const MemoryCell& memory : memory_) result.push_back(memory.cell);
  return result;
}

std::vector<ir::ExprId> World::exprs_of(ir::TypeId type) const {
  std::vector<ir::ExprId> result;
  for (const std::vector<ir::ExprId>* from : {&exprs_, &conditions_})
    for (const ir::ExprId id : *from)
      if (program_->expr(id).type == type) result.push_back(id);
  return result;
}

std::uint64_t World::value(ir::ExprId id, const Assignment& assignment) const {
  machine::Frame frame;
  frame.function = function_;
  frame.registers.resize(program_->function(function_).registers.size());
  for (const ir::RegId reg : registers_)
    frame.registers[program_->reg(reg).index] = assignment.at(cell(reg));
  return machine::evaluate(*program_, *layout_, &frame, 0, id);
}

domain::Operand World::CellScope::reg(ir::RegId id) const {
  const Cell cell = world_.cell(id);
  const auto found = known_.find(cell);
  if (found != known_.end()) return found->second;
  return cell;
}

}  // namespace heddle::laws
