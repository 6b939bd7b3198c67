#include "laws/walk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

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
    : world_(world), rng_(rng), store_(domain.initial()), samples_(sample_count) {
  for (const Cell& cell : world.cells()) make_any(cell, 0);
}

void Walk::apply(std::function<void(Assignment&)> effect) {
  for (Assignment& sample : samples_) effect(sample);
  log_.push_back([effect = std::move(effect)](Assignment& at, Inputs&) {
    effect(at);
    return true;
  });
}

void Walk::make_any(const Cell& cell, std::uint64_t limit) {
  store_->havoc(cell, limit);
  for (Assignment& sample : samples_) {
    sample[cell] = World::number(rng_, cell.width);
    if (limit != 0) sample[cell] %= limit;
  }
  log_.push_back([cell, limit](Assignment& at, Inputs& inputs) {
    if (inputs.empty()) return false;
    at[cell] = inputs.front();
    inputs.pop_front();
    return at[cell] <= smt::mask_of(cell.width) && (limit == 0 || at[cell] < limit);
  });
}

std::optional<Assignment> Walk::replay(const std::vector<std::uint64_t>& inputs) const {
  Assignment result;
  Inputs left(inputs.begin(), inputs.end());
  for (const auto& operation : log_)
    if (!operation(result, left)) return std::nullopt;
  if (!left.empty()) return std::nullopt;
  return result;
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
    return apply([=](Assignment& at) { at[cell] = bits; });
  }
  const std::uint64_t limit = rng_.chance(50) ? rng_.below(300) : 0;
  if (rng_.chance(30)) store_->forget(cell);
  history_ += fmt::format("havoc {}:{} below {}\n", cell.place, cell.width, limit);
  make_any(cell, limit);
}

void Walk::assign() {
  const ir::RegId to = rng_.pick(world_.registers());
  const ir::ExprId value = rng_.pick(world_.exprs_of(world_.program().reg(to).type));
  history_ += fmt::format("assign {} = expr {}\n", world_.cell(to).place, value.value);
  store_->assign(world_.cell(to), value, world_.scope());
  apply([=, this](Assignment& at) { at[world_.cell(to)] = world_.value(value, at); });
}

void Walk::load() {
  const MemoryCell memory = rng_.pick(world_.memory());
  const machine::Target target = target_of(world_, memory);
  const Cell to = world_.cell(memory.reg);
  history_ += fmt::format("load {} = {}\n", to.place, memory.cell.place);
  store_->load(to, memory.cell, memory.type, memory.bits);
  apply([=](Assignment& at) { at[to] = target.decode(at[memory.cell]); });
}

void Walk::store_value() {
  const MemoryCell memory = rng_.pick(world_.memory());
  const machine::Target target = target_of(world_, memory);
  const ir::ExprId value = rng_.pick(world_.exprs_of(memory.type));
  history_ += fmt::format("store {} = expr {}\n", memory.cell.place, value.value);
  store_->store(memory.cell, memory.type, memory.bits, value, world_.scope());
  apply([=, this](Assignment& at) {
    at[memory.cell] = (at[memory.cell] & ~target.mask()) |
                      (target.encode(world_.value(value, at)) & target.mask());
  });
}

void Walk::update() {
  const MemoryCell memory = rng_.pick(world_.memory());
  if (!memory.bits.whole()) return;
  const auto op = static_cast<ir::RmwOp>(rng_.below(7));
  const ir::ExprId operand = rng_.pick(world_.exprs_of(memory.type));
  const Cell before = world_.cell(memory.reg);
  history_ += fmt::format("update {} op {} expr {}\n", memory.cell.place, static_cast<int>(op),
                          operand.value);
  store_->load(before, memory.cell, memory.type, {});
  store_->update(memory.cell, memory.type, op, domain::Operand(before), operand, world_.scope());
  const machine::Target target = target_of(world_, memory);
  apply([=, this](Assignment& at) {
    const ir::Type& type = *target.type;
    const std::uint64_t old = target.decode(at[memory.cell]);
    at[before] = old;
    const std::uint64_t by = world_.value(operand, at);
    std::uint64_t now = by;
    if (op == ir::RmwOp::add) now = ir::apply_binary(ir::Op::add, type, old, by);
    if (op == ir::RmwOp::sub) now = ir::apply_binary(ir::Op::sub, type, old, by);
    if (op == ir::RmwOp::bit_and) now = old & by;
    if (op == ir::RmwOp::bit_or) now = old | by;
    if (op == ir::RmwOp::bit_xor) now = old ^ by;
    if (op == ir::RmwOp::nand) now = ir::truncate(type, ~(old & by));
    at[memory.cell] = now;
  });
}

void Walk::filter(std::function<bool(const Assignment&)> keep,
                  const std::function<bool(domain::Store&)>& narrow) {
  std::vector<Assignment> kept;
  std::copy_if(samples_.begin(), samples_.end(), std::back_inserter(kept), keep);
  auto next = store_->clone();
  const bool possible = narrow(*next);
  if (kept.empty()) return;
  if (!possible) {
    failure_ = "an assume that holds was called impossible";
    return;
  }
  store_ = std::move(next);
  // Samples that are alike part again at the next havoc.
  while (kept.size() < sample_count) kept.push_back(rng_.pick(kept));
  samples_ = std::move(kept);
  log_.push_back([keep = std::move(keep)](Assignment& at, Inputs&) { return keep(at); });
}

void Walk::assume() {
  const ir::ExprId condition = rng_.pick(world_.conditions());
  history_ += fmt::format("assume expr {}\n", condition.value);
  filter([=, this](const Assignment& at) { return world_.value(condition, at) != 0; },
         [&](domain::Store& store) { return store.assume(condition, world_.scope()); });
}

void Walk::assume_equality() {
  const ir::ExprId expr = rng_.pick(world_.exprs());
  const auto equality = rng_.chance(50) ? domain::Equality::equal : domain::Equality::different;
  const bool equal = equality == domain::Equality::equal;
  const std::uint64_t bits = rng_.chance(70) ? world_.value(expr, rng_.pick(samples_))
                                             : World::number(rng_, world_.type_of(expr).width);
  std::vector<Cell> fitting;
  for (const ir::RegId reg : world_.registers())
    if (world_.program().reg(reg).type == world_.program().expr(expr).type)
      fitting.push_back(world_.cell(reg));
  const Cell cell = rng_.pick(fitting);
  const bool of_cell = rng_.chance(50);
  const auto value = [=](const Assignment& at) { return of_cell ? at.at(cell) : bits; };
  history_ += fmt::format("assume expr {} {} {}\n", expr.value,
                          equal ? "==" : "!=", value(samples_.front()));
  filter([=, this](const Assignment& at) { return (world_.value(expr, at) == value(at)) == equal; },
         [&](domain::Store& store) {
           return of_cell ? store.assume(equality, cell, expr, world_.scope())
                          : store.assume(equality, bits, expr, world_.scope());
         });
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
