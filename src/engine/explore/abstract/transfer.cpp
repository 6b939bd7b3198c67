#include "engine/explore/abstract/transfer.hpp"

#include <algorithm>
#include <utility>

#include "machine/target.hpp"
#include "passes/operands.hpp"

namespace heddle::engine::explore {

using domain::Cell;

bool waits_on_cells(const Semantics& semantics, const AbstractState& state, ThreadNumber thread,
                    const ir::Await& await) {
  if (semantics.reads_cells(state, thread, await.address)) return true;
  const std::size_t top = state.known().thread(thread).frames.size() - 1;
  for (const ir::RegId reg : semantics.registers(await.condition))
    if (reg != await.loaded &&
        state.store().holds(register_cell(semantics.program(), thread, top, reg)))
      return true;
  const std::uint64_t address = semantics.machine().evaluate(state.known(), thread, await.address);
  const machine::Target target =
      machine::target_of(semantics.program(), await.address, address, {});
  return state.overlaps({target.address, target.size});
}

Transfer::Transfer(const Semantics& semantics, AbstractState& state, ThreadNumber thread,
                   const Choice& choice)
    : semantics_(semantics),
      machine_(semantics.machine()),
      program_(semantics.program()),
      state_(state),
      thread_(thread),
      choice_(choice),
      frame_(state.known().thread(thread).frames.size() - 1),
      given_(choice.values) {}

machine::StepResult Transfer::stop(machine::Outcome outcome) const {
  return {outcome, std::nullopt, verdict::Gap::bound, refusal_};
}

machine::StepResult Transfer::run() {
  for (const machine::KnownValue& chosen : choice_.values)
    if (!state_.store().assume(domain::Equality::equal, chosen.value, chosen.expr, scope()))
      return stop(machine::Outcome::pruned);
  for (const machine::KnownValue& chosen : choice_.values)
    for (const ir::RegId reg : semantics_.registers(chosen.expr)) settle(reg);
  const ir::Statement& statement = program_.edge(choice_.edge).statement;
  if (!std::visit(*this, statement))
    return stop(pruned_ ? machine::Outcome::pruned : machine::Outcome::cut);
  machine::StepResult result = machine_.step(state_.known(), thread_, choice_.edge, input_, given_);
  if (result.outcome != machine::Outcome::moved || result.violation) return result;
  for (const Extent& extent : blanked_)
    if (state_.holds(extent)) state_.make_cell(machine_, extent);
  for (const Passed& passed : passed_) pass(passed);
  if (written_ && frame_ < state_.known().thread(thread_).frames.size()) settle(*written_);
  if (stored_) settle(*stored_);
  if (ends_lifetimes_) state_.forget_dead(machine_);
  if (!semantics_.precision().keeps_everything()) lose_untracked();
  return result;
}

bool Transfer::pruned() {
  pruned_ = true;
  return false;
}

bool Transfer::refuse(std::string detail) {
  refusal_ = std::move(detail);
  return false;
}

Cell Transfer::cell_of(ir::RegId reg) const {
  return register_cell(program_, thread_, frame_, reg);
}

std::optional<std::uint64_t> Transfer::tell(ir::ExprId operand) {
  for (const machine::KnownValue& known : given_)
    if (known.expr == operand) return known.value;
  if (!semantics_.reads_cells(state_, thread_, operand))
    return machine_.evaluate(state_.known(), thread_, operand);
  const std::optional<std::uint64_t> known = state_.store().known(operand, scope());
  given_.push_back({operand, known.value_or(0)});
  return known;
}

void Transfer::know(ir::RegId to) {
  state_.store().forget(cell_of(to));
  written_ = to;
}

void Transfer::write(ir::RegId to) { written_ = to; }

bool Transfer::is_pointer(ir::TypeId type) const {
  return program_.type(type).kind == ir::TypeKind::pointer;
}

// ---- registers and branches ----

bool Transfer::operator()(const ir::Assign& s) {
  if (tell(s.value)) {
    know(s.to);
  } else {
    state_.store().assign(cell_of(s.to), s.value, scope());
    write(s.to);
  }
  return true;
}

bool Transfer::operator()(const ir::Havoc& s) {
  if (is_pointer(program_.reg(s.to).type)) return refuse("a pointer may have any value");
  state_.store().havoc(cell_of(s.to), s.limit);
  input_ = 0;
  write(s.to);
  return true;
}

bool Transfer::operator()(const ir::Assume& s) {
  if (!semantics_.reads_cells(state_, thread_, s.condition)) return true;
  if (!state_.store().assume(s.condition, scope())) return pruned();
  given_.push_back({s.condition, 1});
  for (const ir::RegId reg : semantics_.registers(s.condition)) settle(reg);
  return true;
}

bool Transfer::operator()(const ir::Self& s) {
  know(s.to);
  return true;
}

// ---- memory ----

Transfer::Target Transfer::target_of(ir::ExprId address, ir::BitRange bits) const {
  std::uint64_t where = 0;
  const auto given = std::find_if(given_.begin(), given_.end(),
                                  [&](const auto& known) { return known.expr == address; });
  where =
      given != given_.end() ? given->value : machine_.evaluate(state_.known(), thread_, address);
  const machine::Target found = machine::target_of(program_, address, where, bits);
  Target target{{found.address, found.size}, program_.pointee(address), found.bits, false, 0};
  const auto place = machine_.memory().resolve(state_.known(), found.address, found.size,
                                               machine::AccessKind::read);
  if (const auto* live = std::get_if<machine::Place>(&place)) {
    target.live = true;
    target.unset = found.mask() & ~machine::Memory::read(*live, found.size).set;
  }
  return target;
}

// Memory from which an operation of the store can read and write.
void Transfer::keep_in_store(const Target& target) {
  if (state_.holds(target.extent)) return;
  if (is_open(target)) {
    state_.make_cell(machine_, target.extent);
    state_.store().havoc(memory_cell(target.extent), 0);
    return;
  }
  const auto place = machine_.memory().find(state_.known(), target.extent.address);
  const std::uint64_t all = target.extent.size == 8
                                ? ~std::uint64_t{0}
                                : (std::uint64_t{1} << 8 * target.extent.size) - 1;
  const bool set = (all & ~machine::Memory::read(*place, target.extent.size).set) == 0;
  state_.lift(machine_, target.extent);
  if (!set) state_.store().havoc(memory_cell(target.extent), 0);
}

bool Transfer::operator()(const ir::Load& s) {
  const Target target = target_of(s.address, s.bits);
  if (!target.live) return true;
  const bool takes_input = target.unset != 0 && s.order == ir::MemoryOrder::plain;
  if (!is_open(target) && !takes_input) {
    know(s.to);
    return true;
  }
  if (is_pointer(program_.reg(s.to).type)) return refuse("a pointer is read that is not known");
  keep_in_store(target);
  blanked_.push_back(target.extent);
  state_.store().load(cell_of(s.to), memory_cell(target.extent), target.type, target.bits);
  write(s.to);
  return true;
}

bool Transfer::operator()(const ir::Store& s) {
  const Target target = target_of(s.address, s.bits);
  if (!target.live) return true;
  const bool known = tell(s.value).has_value();
  const bool whole = target.bits.whole();
  stored_ = target;
  if (known && (whole || !is_open(target))) {
    state_.break_cells(machine_, target.extent);
    return true;
  }
  if (whole && !state_.holds(target.extent)) {
    state_.make_cell(machine_, target.extent);
    state_.store().havoc(memory_cell(target.extent), 0);
  }
  if (!whole) keep_in_store(target);
  state_.store().store(memory_cell(target.extent), target.type, target.bits, s.value, scope());
  blanked_.push_back(target.extent);
  return true;
}

bool Transfer::operator()(const ir::Update& s) {
  const Target target = target_of(s.address, {});
  if (!target.live) return true;
  const bool exchange = s.op == ir::RmwOp::compare_exchange;
  const bool open_expected = exchange && !tell(s.expected);
  if (is_open(target) || open_expected || !tell(s.operand)) return update_cell(s, target);
  stored_ = target;
  know(s.before);
  return true;
}

bool Transfer::update_cell(const ir::Update& s, const Target& target) {
  const auto reads_before = [&](ir::ExprId expr) {
    return std::ranges::count(semantics_.registers(expr), s.before) > 0;
  };
  const bool exchange = s.op == ir::RmwOp::compare_exchange;
  if (reads_before(s.operand) || (exchange && reads_before(s.expected)))
    return refuse("an atomic update reads the register that it writes");
  if (is_pointer(target.type)) return refuse("a pointer is updated that is not known");
  keep_in_store(target);
  const Cell memory = memory_cell(target.extent);
  domain::Store& store = state_.store();
  store.load(cell_of(s.before), memory, target.type, {});
  write(s.before);
  // The machine finds 0 where the cell is, and so compares with 0 or with 1.
  std::erase_if(given_, [&](const auto& known) {
    return (exchange && known.expr == s.expected) || known.expr == s.operand;
  });
  if (exchange) {
    const domain::Equality comparison = choice_.comparison.value_or(domain::Equality::equal);
    if (!store.assume(comparison, cell_of(s.before), s.expected, scope())) return pruned();
    const bool equal = comparison == domain::Equality::equal;
    if (equal) store.store(memory, target.type, {}, s.operand, scope());
    given_.push_back({s.expected, equal ? std::uint64_t{0} : std::uint64_t{1}});
  } else {
    store.update(memory, target.type, s.op, cell_of(s.before), s.operand, scope());
  }
  given_.push_back({s.operand, 0});
  blanked_.push_back(target.extent);
  stored_ = target;
  return true;
}

bool Transfer::operator()(const ir::Await& s) {
  if (waits_on_cells(semantics_, state_, thread_, s))
    return refuse("a thread waits for a value that is not known");
  know(s.loaded);
  return true;
}

bool Transfer::operator()(const ir::ObjectSize& s) {
  know(s.to);
  return true;
}

bool Transfer::operator()(const ir::Clobber& s) {
  if (machine_.property().has(verdict::Check::race))
    return refuse("an undefined function may race on what its argument points to");
  const auto place = machine_.memory().find(state_.known(), tell(s.address).value_or(0));
  if (!place || !place->index) return true;
  const Address end = place->base + place->object->bytes.size();
  const std::vector<Extent> before = state_.extents();
  for (const Extent& extent : before)
    if (extent.address >= place->base && extent.address < end) state_.forget_cell(extent);
  return true;
}

bool Transfer::operator()(const ir::Alloc& s) {
  know(s.to);
  ends_lifetimes_ = true;
  return true;
}

bool Transfer::operator()(const ir::Free&) {
  ends_lifetimes_ = true;
  return true;
}

bool Transfer::operator()(const ir::Exit&) {
  ends_lifetimes_ = true;
  return true;
}

// ---- control ----

bool Transfer::convertible(ir::TypeId from, ir::TypeId to) const {
  const ir::Type &one = program_.type(from), &other = program_.type(to);
  return one.kind == other.kind && one.width == other.width && one.is_signed == other.is_signed;
}

bool Transfer::operator()(const ir::Call& s) {
  const std::optional<std::uint64_t> callee = tell(s.callee);
  const auto function = machine_.memory().layout().function_at(callee.value_or(0));
  if (!function) return true;
  const std::vector<ir::RegId>& parameters = program_.function(*function).parameters;
  for (std::size_t i = 0; i < std::min(s.args.size(), parameters.size()); ++i)
    if (!tell(s.args[i])) passed_.push_back({s.args[i], thread_, frame_ + 1, parameters[i]});
  return true;
}

bool Transfer::operator()(const ir::Spawn& s) {
  const std::optional<std::uint64_t> routine = tell(s.routine);
  const auto function = machine_.memory().layout().function_at(routine.value_or(0));
  if (!function) return true;
  const std::vector<ir::RegId>& parameters = program_.function(*function).parameters;
  if (!tell(s.argument) && parameters.size() == 1)
    passed_.push_back({s.argument, state_.known().thread_count(), 0, parameters.front()});
  know(s.number);
  return true;
}

// The machine has made the frame; its register stands for what the caller's expression did.
void Transfer::pass(const Passed& passed) {
  const Cell to = register_cell(program_, passed.thread, passed.frame, passed.to);
  if (convertible(program_.expr(passed.value).type, program_.reg(passed.to).type))
    state_.store().assign(to, passed.value, scope());
  else
    state_.store().havoc(to, 0);
}

bool Transfer::operator()(const ir::Return& s) {
  ends_lifetimes_ = true;
  const std::optional<ir::RegId> to = state_.known().top(thread_).result;
  const bool known = !s.value || tell(*s.value);
  if (frame_ == 0 || !to) return true;
  const Cell result = register_cell(program_, thread_, frame_ - 1, *to);
  if (known)
    state_.store().forget(result);
  else if (convertible(program_.expr(*s.value).type, program_.reg(*to).type))
    state_.store().assign(result, *s.value, scope());
  else
    state_.store().havoc(result, 0);
  return true;
}

// ---- what is known after all, and what is not wanted ----

void Transfer::settle(ir::RegId reg) {
  const Cell cell = cell_of(reg);
  if (!state_.store().holds(cell)) return;
  const std::optional<std::uint64_t> known = state_.store().known(cell);
  machine::Thread& self = state_.known().write_thread(thread_);
  self.frames[frame_].write().registers[cell.place] = known.value_or(0);
  if (known) state_.store().forget(cell);
}

void Transfer::settle(const Target& target) {
  if (!state_.holds(target.extent)) return;
  if (const auto known = state_.store().known(memory_cell(target.extent)))
    state_.settle(machine_, target.extent, *known);
}

// Variables that the precision leaves out may have any value once they are written.
void Transfer::lose_untracked() {
  const ir::FunId function = program_.function_of(choice_.edge);
  if (program_.function(function).origin != ir::Origin::user) return;
  const Precision& precision = semantics_.precision();
  if (written_ && frame_ < state_.known().thread(thread_).frames.size()) {
    const ir::Register& reg = program_.reg(*written_);
    if (!reg.temporary && !is_pointer(reg.type) && !precision.keeps(Variable::of(*written_))) {
      state_.store().havoc(cell_of(*written_), 0);
      settle(*written_);
    }
  }
  if (!stored_ || is_pointer(stored_->type)) return;
  const auto place = machine_.memory().find(state_.known(), stored_->extent.address);
  if (!place || !place->index || precision.keeps(Variable::of(*place->object))) return;
  state_.make_cell(machine_, stored_->extent);
  state_.store().havoc(memory_cell(stored_->extent), 0);
}

}  // namespace heddle::engine::explore
