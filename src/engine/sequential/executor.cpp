#include "engine/sequential/executor.hpp"

#include <algorithm>
#include <map>

#include "machine/machine.hpp"
#include "machine/target.hpp"

namespace heddle::engine::sequential {
namespace {

constexpr std::size_t most_elements = 32;  // that an index chooses among

}  // namespace

Executor::Executor(const ir::Program& program, const verdict::Property& property, MemoryMap& map,
                   Arithmetic& arithmetic)
    : program_(program),
      property_(property),
      map_(map),
      arithmetic_(arithmetic),
      integers_(arithmetic.integers()) {
  for (std::size_t i = map.first_allocation(); i < map.objects().size(); ++i)
    has_heap_ = has_heap_ || map.objects()[i].kind == ir::AllocKind::heap;
}

State Executor::initial() {
  State state;
  state.guard = integers_.yes();
  state.registers.assign(program_.function(program_.entry()).registers.size(),
                         arithmetic_.constant(0));
  state.lives.assign(map_.objects().size() - map_.first_allocation(), Life::none);
  for (const CellInfo& cell : map_.cells()) {
    const std::optional<Wide> value =
        cell.object < map_.first_allocation() ? map_.initial(cell) : std::nullopt;
    state.cells.push_back(
        {arithmetic_.constant(value.value_or(0)), value ? Contained::set : Contained::unset});
  }
  return state;
}

bool Executor::stop(State& state, ir::EdgeId edge, std::string what) {
  wrongs_.push_back({state.guard, edge, std::move(what)});
  return false;
}

void Executor::require(State& state, ir::EdgeId edge, Integer condition, const char* otherwise) {
  const Integer fails = integers_.both(state.guard, integers_.negation(condition));
  if (!integers_.is_no(fails)) wrongs_.push_back({fails, edge, otherwise});
  state.guard = integers_.both(state.guard, condition);
}

bool Executor::live(const State& state, std::size_t object) const {
  return object < map_.first_allocation() ||
         state.lives[object - map_.first_allocation()] == Life::live;
}

// ---- memory ----------------------------------------------------------------------

auto Executor::access(State& state, ir::EdgeId edge, ir::ExprId address, ir::BitRange bits,
                      Purpose purpose) -> Access {
  const machine::Target target = machine::target_of(program_, address, 0, bits);
  const Shape pointer = shape_of(program_.type(program_.expr(address).type));
  const Value start =
      arithmetic_.add(arithmetic_.evaluate(address, state.registers),
                      arithmetic_.constant(static_cast<Wide>(target.address)), pointer);
  Access result;
  const std::optional<Place> place = map_.find(arithmetic_, start);
  const auto refuse = [&](const char* what) {
    stop(state, edge, what);
    return Access{};
  };
  if (!place) return refuse("an access to an address that is not known");
  const Object& object = map_.objects()[place->object];
  if (!live(state, place->object)) return refuse("an access to an object that does not live");
  if (object.read_only && purpose == Purpose::write) return refuse("a write into a literal");
  if (object.size < target.size) return refuse("an access past the end of an object");
  result.valid = true;
  if (!place->offset) {
    reach_many(state, edge, *place, *target.type, purpose, result);
    if (!bits.whole()) map_.forget(place->object, 0, object.size);
    return result;
  }
  if (*place->offset > object.size - target.size)
    return refuse("an access past the end of an object");
  reach_one(*place, target.size, bits, *target.type, result);
  return result;
}

void Executor::reach_one(const Place& place, std::uint64_t bytes, ir::BitRange bits,
                         const ir::Type& type, Access& result) {
  if (!bits.whole()) return map_.forget(place.object, *place.offset, bytes);
  const std::optional<std::size_t> cell = map_.cell(place.object, *place.offset, type);
  result.complete = cell.has_value();
  if (cell) result.targets.push_back({*cell, integers_.yes()});
}

// An index that is not known: one of the elements.
void Executor::reach_many(State& state, ir::EdgeId edge, const Place& place, const ir::Type& type,
                          Purpose purpose, Access& result) {
  const Object& object = map_.objects()[place.object];
  const std::uint64_t stride = place.stride > 1 ? place.stride : type.size;
  const std::uint64_t count = (object.size - place.first) / stride;
  if (count > most_elements || place.first + type.size > object.size) {
    const Integer last = integers_.constant(static_cast<Wide>(object.size - type.size));
    require(state, edge,
            integers_.both(integers_.at_most(integers_.constant(0), place.distance),
                           integers_.at_most(place.distance, last)),
            "an access past the end of an object");
    if (purpose == Purpose::write) map_.forget(place.object, 0, object.size);
    return;
  }
  result.complete = true;
  Integer valid = integers_.no();
  for (std::uint64_t at = place.first; at + type.size <= object.size; at += stride) {
    const Integer here = integers_.equal(place.distance, integers_.constant(static_cast<Wide>(at)));
    valid = integers_.either(valid, here);
    const std::optional<std::size_t> cell = map_.cell(place.object, at, type);
    if (cell)
      result.targets.push_back({*cell, here});
    else
      result.complete = false;
  }
  require(state, edge, valid, "an access past the end of an object");
}

Value Executor::read(State& state, const Access& access, const ir::Type& type,
                     ir::MemoryOrder order) {
  const Shape shape = shape_of(type);
  const bool plain = order == ir::MemoryOrder::plain;
  std::optional<Value> result;
  if (!access.complete) result = arithmetic_.any(shape);
  const bool one = access.targets.size() == 1 && access.complete;
  for (const Target& target : access.targets) {
    if (target.cell >= state.cells.size()) return arithmetic_.any(shape);  // found just now
    CellValue& cell = state.cells[target.cell];
    if (plain && cell.contained == Contained::unset)
      cell.value = arithmetic_.any(map_.cells()[target.cell].shape());
    Value seen = cell.value;
    if (!plain && cell.contained == Contained::unset) seen = arithmetic_.constant(0);
    if (!plain && cell.contained == Contained::maybe) seen = arithmetic_.any(shape);
    if (plain && cell.contained != Contained::set)
      cell.contained = one ? Contained::set : Contained::maybe;
    seen = arithmetic_.convert(seen, shape);
    result = result ? arithmetic_.choose(target.when, seen, *result) : seen;
  }
  return result ? *result : arithmetic_.any(shape);
}

void Executor::write(State& state, const Access& access, const Value& value, Integer when) {
  for (const Target& target : access.targets) {
    if (target.cell >= state.cells.size()) continue;  // found just now
    CellValue& cell = state.cells[target.cell];
    const Shape shape = map_.cells()[target.cell].shape();
    const Value written = arithmetic_.convert(value, shape);
    const Integer here = integers_.both(target.when, when);
    if (integers_.is_no(here)) continue;
    if (integers_.is_yes(here)) {
      cell = {written, Contained::set};
      continue;
    }
    if (cell.contained == Contained::unset) cell = {arithmetic_.any(shape), Contained::maybe};
    cell.value = arithmetic_.choose(here, written, cell.value);
  }
}

// What pointed to the object before points to no newest object any more.
bool Executor::allocate(State& state, ir::EdgeId edge, const ir::Alloc& statement) {
  const std::size_t index = *map_.object_of(edge);
  const Object& object = map_.objects()[index];
  if (program_.expr(statement.size).op != ir::Op::constant ||
      object.size > machine::Memory::largest_object)
    return stop(state, edge, "an allocation of a size that is not known");
  Life& life = state.lives[index - map_.first_allocation()];
  if (life != Life::none) {
    const Integer old = arithmetic_.bounded(object.base.low, object.base.high).expr;
    std::map<Integer, Integer> known;
    const auto rename = [&](Integer& in) {
      in = integers_.replace(in, object.base.expr, old, known);
    };
    rename(state.guard);
    for (Value& value : state.registers) rename(value.expr);
    for (CellValue& cell : state.cells) rename(cell.value.expr);
  }
  life = Life::live;
  for (const std::size_t at : map_.cells_of(index))
    if (at < state.cells.size())
      state.cells[at] = {arithmetic_.constant(0), statement.contents == ir::Contents::zero
                                                      ? Contained::set
                                                      : Contained::unset};
  state.registers[program_.reg(statement.to).index] = object.base;
  return true;
}

bool Executor::free(State& state, ir::EdgeId edge, const Value& address) {
  if (integers_.is_constant(address.expr) && address.low == 0) return true;
  const std::optional<Place> place = map_.find(arithmetic_, address);
  if (!place || place->offset != std::optional<std::uint64_t>(0) || !live(state, place->object) ||
      map_.objects()[place->object].kind != ir::AllocKind::heap)
    return stop(state, edge, "a block may be freed wrongly");
  state.lives[place->object - map_.first_allocation()] = Life::ended;
  return true;
}

bool Executor::clobber(State& state, ir::EdgeId edge, const Value& address) {
  const std::optional<Place> place = map_.find(arithmetic_, address);
  if (!place) {
    const bool nowhere = integers_.is_constant(address.expr);
    return nowhere || stop(state, edge, "unknown code writes to an address that is not known");
  }
  const Object& object = map_.objects()[place->object];
  if (!live(state, place->object) || object.read_only) return true;
  for (const std::size_t at : map_.cells_of(place->object))
    if (at < state.cells.size()) state.cells[at].contained = Contained::unset;
  return true;
}

// ---- statements ------------------------------------------------------------------

struct StatementExecutor {
  Executor& run;
  State& state;
  ir::EdgeId edge;

  const ir::Program& program = run.program_;
  Arithmetic& numbers = run.arithmetic_;

  Value value(ir::ExprId id) const { return numbers.evaluate(id, state.registers); }
  const ir::Type& type_of(ir::RegId reg) const { return program.type(program.reg(reg).type); }
  bool set(ir::RegId to, Value result) const {
    state.registers[program.reg(to).index] = result;
    return true;
  }

  bool operator()(const ir::Skip&) const { return true; }
  bool operator()(const ir::Assign& s) const { return set(s.to, value(s.value)); }
  bool operator()(const ir::Havoc& s) const {
    const Shape shape = shape_of(type_of(s.to));
    if (s.limit == 0 || static_cast<Wide>(s.limit) > shape.high())
      return set(s.to, numbers.any(shape));
    return set(s.to, numbers.bounded(0, static_cast<Wide>(s.limit) - 1));
  }
  bool operator()(const ir::Assume& s) const {
    state.guard = run.integers_.both(state.guard, numbers.condition(s.condition, state.registers));
    return true;
  }
  bool operator()(const ir::Self& s) const { return set(s.to, numbers.constant(1)); }

  bool operator()(const ir::Load& s) const {
    const auto access = run.access(state, edge, s.address, s.bits, Executor::Purpose::read);
    if (!access.valid) return false;
    if (!s.bits.whole()) return set(s.to, numbers.any(shape_of(type_of(s.to))));
    return set(s.to, run.read(state, access, type_of(s.to), s.order));
  }
  bool operator()(const ir::Store& s) const {
    const auto access = run.access(state, edge, s.address, s.bits, Executor::Purpose::write);
    if (!access.valid) return false;
    if (s.bits.whole()) run.write(state, access, value(s.value), run.integers_.yes());
    return true;
  }
  Value updated(const ir::Update& s, const Value& before, Shape shape) const {
    const Value operand = value(s.operand);
    switch (s.op) {
      case ir::RmwOp::exchange:
      case ir::RmwOp::compare_exchange:
        return operand;
      case ir::RmwOp::add:
        return numbers.add(before, operand, shape);
      case ir::RmwOp::sub:
        return numbers.subtract(before, operand, shape);
      case ir::RmwOp::bit_and:
        return numbers.bitwise(ir::Op::bit_and, before, operand, shape);
      case ir::RmwOp::bit_or:
        return numbers.bitwise(ir::Op::bit_or, before, operand, shape);
      case ir::RmwOp::bit_xor:
        return numbers.bitwise(ir::Op::bit_xor, before, operand, shape);
      case ir::RmwOp::nand:
        return numbers.any(shape);
    }
    return numbers.any(shape);
  }
  bool operator()(const ir::Update& s) const {
    const ir::Type& type = type_of(s.before);
    if (type.kind == ir::TypeKind::floating)
      return run.stop(state, edge, "an atomic update of a floating-point number");
    const auto access = run.access(state, edge, s.address, {}, Executor::Purpose::write);
    if (!access.valid) return false;
    const Value before = run.read(state, access, type, ir::MemoryOrder::seq_cst);
    const Integer when = s.op == ir::RmwOp::compare_exchange
                             ? numbers.equal(before, value(s.expected))
                             : run.integers_.yes();
    run.write(state, access, updated(s, before, shape_of(type)), when);
    return set(s.before, before);
  }
  bool operator()(const ir::ObjectSize& s) const {
    return set(s.to, numbers.any(shape_of(type_of(s.to))));
  }
  bool operator()(const ir::Clobber& s) const { return run.clobber(state, edge, value(s.address)); }
  bool operator()(const ir::Alloc& s) const { return run.allocate(state, edge, s); }
  bool operator()(const ir::Free& s) const { return run.free(state, edge, value(s.address)); }

  bool operator()(const ir::Fail& s) const {
    const std::optional<verdict::Check> check = machine::check_of(s.kind);
    if (check && run.property_.has(*check)) run.stop(state, edge, "the property is broken");
    return true;
  }
  bool end() const {
    if (run.has_heap_ && run.property_.has(verdict::Check::leak))
      run.stop(state, edge, "a block may leak");
    return false;
  }
  bool operator()(const ir::Return&) const { return end(); }
  bool operator()(const ir::Exit& s) const {
    return s.scope == ir::ExitScope::abnormal ? false : end();
  }
  bool operator()(const ir::Unsupported& s) const {
    return run.stop(state, edge, machine::gap_of(s).second);
  }
  bool operator()(const ir::Await&) const { return run.stop(state, edge, "a wait"); }
  bool operator()(const ir::Atomic&) const { return run.stop(state, edge, "an atomic section"); }
  bool operator()(const ir::Call&) const { return run.stop(state, edge, "a call"); }
  bool operator()(const ir::Spawn&) const { return run.stop(state, edge, "a new thread"); }
};

bool Executor::take(State& state, ir::EdgeId edge) {
  return std::visit(StatementExecutor{*this, state, edge}, program_.edge(edge).statement);
}

}  // namespace heddle::engine::sequential
