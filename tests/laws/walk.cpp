#include "laws/walk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "machine/target.hpp"
#include "smt/fold.hpp"

namespace heddle::laws {
namespace {

constexpr int sample_count = 12;

machine::Target target_of(const World& world, const MemoryCell& memory) {
  return {&world.program().type(memory.type),
          memory.cell.place,
          memory.cell.width / 8U,
          {memory.bits.offset % 8, memory.bits.width}};
}

}  // namespace

Walk::Walk(const World& world, domain::Domain& domain, Rng& rng)
    : world_(world), rng_(rng), store_(domain.initial()) {
  for (const Cell& cell : world.cells()) store_->havoc(cell, 0);
  for (int i = 0; i < sample_count; ++i) {
    Assignment sample;
    for (const Cell& cell : world.cells()) sample[cell] = World::number(rng, cell.width);
    samples_.push_back(std::move(sample));
  }
}

void Walk::step() {
  switch (rng_.below(10)) {
    case 0:
      return havoc();
    case 1:
    case 2:
      return assign();
    case 3:
      return load();
    case 4:
      return store_value();
    case 5:
      return update();
    case 6:
      return assume_equality();
    default:
      return assume();
  }
}

void Walk::havoc() {
  const Cell cell = rng_.pick(world_.cells());
  if (rng_.chance(30)) {
    const std::uint64_t bits = World::number(rng_, cell.width);
    history_ += fmt::format("set {}:{} = {}\n", cell.place, cell.width, bits);
    store_->set(cell, bits);
    for (Assignment& sample : samples_) sample[cell] = bits;
    return;
  }
  const std::uint64_t limit = rng_.chance(50) ? rng_.below(300) : 0;
  if (rng_.chance(30)) store_->forget(cell);
  history_ += fmt::format("havoc {}:{} below {}\n", cell.place, cell.width, limit);
  store_->havoc(cell, limit);
  for (Assignment& sample : samples_) {
    sample[cell] = World::number(rng_, cell.width);
    if (limit != 0) sample[cell] %= limit;
  }
}

void Walk::assign() {
  const ir::RegId to = rng_.pick(world_.registers());
  const ir::ExprId value = rng_.pick(world_.exprs_of(world_.program().reg(to).type));
  history_ += fmt::format("assign {} = expr {}\n", world_.cell(to).place, value.value);
  store_->assign(world_.cell(to), value, world_.scope());
  for (Assignment& sample : samples_) sample[world_.cell(to)] = world_.value(value, sample);
}

void Walk::load() {
  const MemoryCell& memory = rng_.pick(world_.memory());
  const machine::Target target = target_of(world_, memory);
  const Cell to = world_.cell(memory.reg);
  history_ += fmt::format("load {} = {}\n", to.place, memory.cell.place);
  store_->load(to, memory.cell, memory.type, memory.bits);
  for (Assignment& sample : samples_) sample[to] = target.decode(sample[memory.cell]);
}

void Walk::store_value() {
  const MemoryCell& memory = rng_.pick(world_.memory());
  const machine::Target target = target_of(world_, memory);
  const ir::ExprId value = rng_.pick(world_.exprs_of(memory.type));
  history_ += fmt::format("store {} = expr {}\n", memory.cell.place, value.value);
  store_->store(memory.cell, memory.type, memory.bits, value, world_.scope());
  for (Assignment& sample : samples_)
    sample[memory.cell] = (sample[memory.cell] & ~target.mask()) |
                          (target.encode(world_.value(value, sample)) & target.mask());
}

void Walk::update() {
  const MemoryCell& memory = rng_.pick(world_.memory());
  if (!memory.bits.whole()) return;
  const ir::Type& type = world_.program().type(memory.type);
  const auto op = static_cast<ir::RmwOp>(rng_.below(7));
  const ir::ExprId operand = rng_.pick(world_.exprs_of(memory.type));
  const Cell before = world_.cell(memory.reg);
  history_ += fmt::format("update {} op {} expr {}\n", memory.cell.place, static_cast<int>(op),
                          operand.value);
  store_->load(before, memory.cell, memory.type, {});
  store_->update(memory.cell, memory.type, op, domain::Operand(before), operand, world_.scope());
  const machine::Target target = target_of(world_, memory);
  for (Assignment& sample : samples_) {
    const std::uint64_t old = target.decode(sample[memory.cell]);
    sample[before] = old;
    const std::uint64_t by = world_.value(operand, sample);
    std::uint64_t now = by;
    if (op == ir::RmwOp::add) now = ir::apply_binary(ir::Op::add, type, old, by);
    if (op == ir::RmwOp::sub) now = ir::apply_binary(ir::Op::sub, type, old, by);
    if (op == ir::RmwOp::bit_and) now = old & by;
    if (op == ir::RmwOp::bit_or) now = old | by;
    if (op == ir::RmwOp::bit_xor) now = old ^ by;
    if (op == ir::RmwOp::nand) now = ir::truncate(type, ~(old & by));
    sample[memory.cell] = now;
  }
}

template <class Keep>
void Walk::filter(const Keep& keep, const std::function<bool(domain::Store&)>& narrow) {
  std::vector<Assignment> kept;
  for (const Assignment& sample : samples_)
    if (keep(sample)) kept.push_back(sample);
  auto next = store_->clone();
  const bool possible = narrow(*next);
  if (kept.empty()) return;
  if (!possible) {
    failure_ = "an assume that holds was called impossible";
    return;
  }
  store_ = std::move(next);
  // As many as before, so that a walk does not end with one assignment.
  while (kept.size() < sample_count / 2) kept.push_back(rng_.pick(kept));
  samples_ = std::move(kept);
}

void Walk::assume() {
  const ir::ExprId condition = rng_.pick(world_.conditions());
  history_ += fmt::format("assume expr {}\n", condition.value);
  filter([&](const Assignment& sample) { return world_.value(condition, sample) != 0; },
         [&](domain::Store& store) { return store.assume(condition, world_.scope()); });
}

void Walk::assume_equality() {
  const ir::ExprId expr = rng_.pick(world_.exprs());
  const auto equality = rng_.chance(50) ? domain::Equality::equal : domain::Equality::different;
  const bool equal = equality == domain::Equality::equal;
  domain::Operand left = rng_.chance(70) ? world_.value(expr, rng_.pick(samples_))
                                         : World::number(rng_, world_.type_of(expr).width);
  if (rng_.chance(50)) {
    std::vector<Cell> fitting;
    for (const ir::RegId reg : world_.registers())
      if (world_.program().reg(reg).type == world_.program().expr(expr).type)
        fitting.push_back(world_.cell(reg));
    left = rng_.pick(fitting);
  }
  const auto* cell = std::get_if<Cell>(&left);
  history_ += fmt::format("assume expr {} {} {}{}\n", expr.value,
                          equal ? "==" : "!=", cell != nullptr ? "cell " : "",
                          cell != nullptr ? cell->place : std::get<std::uint64_t>(left));
  const auto value = [&](const Assignment& sample) {
    return cell != nullptr ? sample.at(*cell) : std::get<std::uint64_t>(left);
  };
  filter(
      [&](const Assignment& sample) {
        return (world_.value(expr, sample) == value(sample)) == equal;
      },
      [&](domain::Store& store) { return store.assume(equality, left, expr, world_.scope()); });
}

bool Walk::holds(const World& world, const domain::Store& store, const Assignment& sample) {
  const auto copy = store.clone();
  for (const ir::RegId reg : world.registers())
    if (!copy->assume(domain::Equality::equal, sample.at(world.cell(reg)), world.read(reg),
                      world.scope()))
      return false;
  // Memory is looked at through the register of its type.
  for (const MemoryCell& memory : world.memory()) {
    const Cell cell = world.cell(memory.reg);
    copy->load(cell, memory.cell, memory.type, memory.bits);
    const machine::Target target = target_of(world, memory);
    if (!copy->assume(domain::Equality::equal, target.decode(sample.at(memory.cell)),
                      world.read(memory.reg), world.scope()))
      return false;
  }
  return true;
}

std::string Walk::check_values() {
  const ir::ExprId expr = rng_.pick(rng_.chance(50) ? world_.exprs() : world_.conditions());
  const std::optional<std::uint64_t> known = store_->known(expr, world_.scope());
  const auto values = store_->values(expr, world_.scope(), 1 + rng_.below(8));
  for (const Assignment& sample : samples_) {
    const std::uint64_t value = world_.value(expr, sample);
    if (known && *known != value)
      return fmt::format("expr {} is {}, not {}", expr.value, value, *known);
    if (values && std::find(values->begin(), values->end(), value) == values->end())
      return fmt::format("expr {} may be {} too", expr.value, value);
  }
  if (values && !std::is_sorted(values->begin(), values->end())) return "values do not rise";
  for (const Cell& cell : store_->cells())
    if (const auto only = store_->known(cell))
      for (const Assignment& sample : samples_)
        if (sample.at(cell) != *only) return "a cell has another value than the known one";
  return {};
}

std::string Walk::complaint() {
  if (!failure_.empty()) return failure_;
  if (std::string wrong = check_values(); !wrong.empty()) return wrong;
  for (const Assignment& sample : samples_)
    if (!holds(world_, *store_, sample)) return "an assignment was lost";
  return {};
}

}  // namespace heddle::laws
