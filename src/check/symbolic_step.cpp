#include "check/symbolic_step.hpp"

#include <algorithm>
#include <cstring>

#include "base/check.hpp"
#include "machine/machine.hpp"
#include "machine/target.hpp"

namespace heddle::check {

using smt::Term;
using smt::TermOp;

SymbolicStep::SymbolicStep(const ir::Program& program, const machine::Memory& memory,
                           const verdict::Property& property,
                           const std::vector<verdict::Cell>& cells, smt::Terms& terms)
    : program_(program),
      memory_(memory),
      property_(property),
      cells_(cells),
      terms_(terms),
      pointer_bits_(memory.layout().pointer_bytes() * 8) {
  add_objects();
}

void SymbolicStep::add_objects() {
  for (std::uint32_t i = 0; i < program_.globals().size(); ++i) {
    const ir::Global& declared = program_.globals()[i];
    Object object;
    object.size = program_.type(declared.type).size;
    object.address = global({i});
    object.read_only = declared.kind == ir::GlobalKind::string_literal;
    for (std::size_t k = 0; k < cells_.size(); ++k)
      if (cells_[k].global == ir::GlobalId{i}) object.cells.push_back(k);
    objects_.push_back(std::move(object));
  }
  for (const ir::LocId at : program_.function(program_.entry()).locations)
    for (const ir::EdgeId edge : program_.out(at)) {
      const ir::Statement& statement = program_.edge(edge).statement;
      has_clobber_ = has_clobber_ || std::holds_alternative<ir::Clobber>(statement);
      const auto* alloc = std::get_if<ir::Alloc>(&statement);
      if (alloc == nullptr) continue;
      Object object;
      const ir::Expr& size = program_.expr(alloc->size);
      object.size = size.op == ir::Op::constant ? size.payload : 0;
      object.allocation = allocations_.size();
      object.heap = alloc->kind == ir::AllocKind::heap;
      has_heap_ = has_heap_ || object.heap;
      for (std::size_t k = 0; k < cells_.size(); ++k)
        if (cells_[k].allocation == edge) object.cells.push_back(k);
      allocations_.emplace_back(edge, objects_.size());
      objects_.push_back(std::move(object));
    }
}

std::uint64_t SymbolicStep::global(ir::GlobalId id) {
  if (program_.global(id).storage == ir::Storage::process) return memory_.layout().global(id);
  const std::optional<machine::Address> copy = memory_.layout().thread_copy(0, id);
  CHECK(copy, "the first thread has room for its thread-local globals");
  return *copy;
}

std::uint64_t SymbolicStep::function(ir::FunId id) { return memory_.layout().function(id); }

std::optional<Term> SymbolicStep::translate(const SymbolicState& state, ir::ExprId expr) {
  return smt::Translator(program_, terms_, *this, state.registers)(expr);
}

void SymbolicStep::wrong(Term when, ir::EdgeId edge, std::string what) {
  if (!terms_.is_false(when)) wrongs_.push_back({when, edge, std::move(what)});
}

SymbolicState SymbolicStep::initial() {
  SymbolicState state;
  state.guard = terms_.yes();
  for (const ir::RegId reg : program_.function(program_.entry()).registers)
    state.registers.push_back(terms_.constant(program_.type(program_.reg(reg).type).width, 0));
  for (const verdict::Cell& cell : cells_) {
    const std::uint32_t width = cell.bytes * 8;
    if (!cell.global.valid()) {
      state.cells.push_back({fresh(width), terms_.no()});
      continue;
    }
    const machine::Object object = memory_.fresh_global(cell.global);
    std::uint64_t bits = 0;
    std::memcpy(&bits, object.bytes.data() + cell.offset, cell.bytes);
    const bool set = object.set.empty();
    state.cells.push_back(
        {set ? terms_.constant(width, bits) : fresh(width), set ? terms_.yes() : terms_.no()});
  }
  for (std::size_t i = 0; i < allocations_.size(); ++i)
    state.allocated.push_back({fresh(pointer_bits_), terms_.no()});
  return state;
}

SymbolicState SymbolicStep::arbitrary() {
  SymbolicState state;
  state.guard = terms_.yes();
  for (const ir::RegId reg : program_.function(program_.entry()).registers)
    state.registers.push_back(fresh(program_.type(program_.reg(reg).type).width));
  for (const verdict::Cell& cell : cells_)
    state.cells.push_back({fresh(cell.bytes * 8), may_be_unset(cell) ? fresh(1) : terms_.yes()});
  for (std::size_t i = 0; i < allocations_.size(); ++i)
    state.allocated.push_back({fresh(pointer_bits_), fresh(1)});
  return state;
}

void SymbolicStep::assume_apart(const SymbolicState& state) {
  for (std::size_t i = 0; i < allocations_.size(); ++i) {
    place(state, i);
    for (std::size_t k = 0; k < i; ++k) separate(state, k, i);
  }
}

void SymbolicStep::merge(SymbolicState& state, const SymbolicState& other) {
  const auto join = [&](Term& mine, Term theirs) {
    if (mine != theirs) mine = terms_.ite(other.guard, theirs, mine);
  };
  for (std::size_t i = 0; i < state.registers.size(); ++i)
    join(state.registers[i], other.registers[i]);
  for (std::size_t i = 0; i < state.cells.size(); ++i) {
    join(state.cells[i].value, other.cells[i].value);
    join(state.cells[i].set, other.cells[i].set);
  }
  for (std::size_t i = 0; i < state.allocated.size(); ++i) {
    join(state.allocated[i].base, other.allocated[i].base);
    join(state.allocated[i].live, other.allocated[i].live);
  }
  state.guard = terms_.or_(state.guard, other.guard);
}

// ---- statements ------------------------------------------------------------------

struct StatementStep {
  SymbolicStep& step;
  SymbolicState& state;
  ir::EdgeId edge;

  smt::Terms& terms = step.terms_;
  const ir::Program& program = step.program_;

  const ir::Type& type_of(ir::RegId reg) const { return program.type(program.reg(reg).type); }
  const ir::Type& type_of(ir::ExprId id) const { return program.type(program.expr(id).type); }
  // Of floating-point arithmetic: any.
  Term value(ir::ExprId id) const {
    const std::optional<Term> known = step.translate(state, id);
    return known ? *known : terms.variable(type_of(id).width);
  }
  bool set(ir::RegId to, Term result) const {
    state.registers[program.reg(to).index] = result;
    return true;
  }
  bool stop(const std::string& what) const {
    step.wrong(state.guard, edge, what);
    return false;
  }
  SymbolicStep::Reach reach(ir::ExprId address, ir::BitRange bits) const {
    const machine::Target target = machine::target_of(program, address, 0, bits);
    const Term start = value(address);
    return {terms.binary(TermOp::add, start, terms.constant(step.pointer_bits_, target.address)),
            target.size, bits.whole()};
  }

  bool operator()(const ir::Skip&) const { return true; }
  bool operator()(const ir::Assign& s) const { return set(s.to, value(s.value)); }
  bool operator()(const ir::Havoc& s) const {
    const std::uint32_t width = type_of(s.to).width;
    const Term input = terms.variable(width);
    if (s.limit != 0 && (width >= 64 || s.limit < (std::uint64_t{1} << width)))
      step.facts_.push_back(terms.binary(TermOp::ult, input, terms.constant(width, s.limit)));
    return set(s.to, input);
  }
  bool operator()(const ir::Assume& s) const {
    state.guard = terms.and_(state.guard, value(s.condition));
    return true;
  }
  bool operator()(const ir::Self& s) const {
    return set(s.to, terms.constant(type_of(s.to).width, 1));
  }

  bool operator()(const ir::Load& s) const {
    const SymbolicStep::Reach touched = reach(s.address, s.bits);
    const auto found = step.candidates(state, touched.address);
    step.require_valid(state, edge, touched, found, SymbolicStep::Purpose::read);
    const Term bits = step.read(state, edge, touched, found, s.order);
    const std::uint32_t width = type_of(s.to).width;
    return set(s.to, touched.whole ? terms.resize_unsigned(bits, width) : terms.variable(width));
  }
  bool operator()(const ir::Store& s) const {
    const SymbolicStep::Reach touched = reach(s.address, s.bits);
    const auto found = step.candidates(state, touched.address);
    step.require_valid(state, edge, touched, found, SymbolicStep::Purpose::write);
    const Term bits = touched.whole ? terms.resize_unsigned(value(s.value), touched.bytes * 8)
                                    : terms.variable(touched.bytes * 8);
    step.write(state, edge, touched, found, bits, terms.yes());
    return true;
  }
  Term updated(const ir::Update& s, Term before, Term operand) const {
    switch (s.op) {
      case ir::RmwOp::exchange:
      case ir::RmwOp::compare_exchange:
        return operand;
      case ir::RmwOp::add:
        return terms.binary(TermOp::add, before, operand);
      case ir::RmwOp::sub:
        return terms.binary(TermOp::sub, before, operand);
      case ir::RmwOp::bit_and:
        return terms.and_(before, operand);
      case ir::RmwOp::bit_or:
        return terms.or_(before, operand);
      case ir::RmwOp::bit_xor:
        return terms.binary(TermOp::bit_xor, before, operand);
      case ir::RmwOp::nand:
        return terms.not_(terms.and_(before, operand));
    }
    CHECK(false, "every operator has a meaning");
    return before;
  }
  bool operator()(const ir::Update& s) const {
    if (type_of(s.before).kind == ir::TypeKind::floating)
      return stop("an atomic update of a floating-point number");
    const SymbolicStep::Reach touched = reach(s.address, {});
    const auto found = step.candidates(state, touched.address);
    step.require_valid(state, edge, touched, found, SymbolicStep::Purpose::write);
    const std::uint32_t width = type_of(s.before).width;
    const Term bits =
        step.read(state, edge, touched, found,
                  s.order == ir::MemoryOrder::plain ? ir::MemoryOrder::seq_cst : s.order);
    const Term before = terms.resize_unsigned(bits, width);
    const Term when =
        s.op == ir::RmwOp::compare_exchange ? terms.equal(before, value(s.expected)) : terms.yes();
    const Term after = terms.resize_unsigned(updated(s, before, value(s.operand)), width);
    step.write(state, edge, touched, found, terms.resize_unsigned(after, touched.bytes * 8), when);
    return set(s.before, before);
  }
  bool operator()(const ir::ObjectSize& s) const {
    return set(s.to, terms.variable(type_of(s.to).width));
  }
  bool operator()(const ir::Clobber& s) const {
    step.clobber(state, value(s.address));
    return true;
  }
  bool operator()(const ir::Alloc& s) const {
    step.allocate(state, edge, s);
    return true;
  }
  bool operator()(const ir::Free& s) const {
    step.free(state, edge, value(s.address));
    return true;
  }

  bool operator()(const ir::Fail& s) const {
    const std::optional<verdict::Check> check = machine::check_of(s.kind);
    if (check && step.property_.has(*check))
      step.wrong(state.guard, edge, "the property is broken");
    return true;
  }
  bool end() const {
    if (step.has_heap_ && step.property_.has(verdict::Check::leak))
      step.wrong(state.guard, edge, "a block may leak");
    return false;
  }
  bool operator()(const ir::Return&) const { return end(); }
  bool operator()(const ir::Exit& s) const {
    return s.scope == ir::ExitScope::abnormal ? false : end();
  }
  bool operator()(const ir::Unsupported& s) const { return stop(machine::gap_of(s).second); }
  bool operator()(const ir::Await&) const { return stop("a wait"); }
  bool operator()(const ir::Atomic&) const { return stop("an atomic section"); }
  bool operator()(const ir::Call&) const { return stop("a call"); }
  bool operator()(const ir::Spawn&) const { return stop("the start of a thread"); }
};

bool SymbolicStep::take(SymbolicState& state, ir::EdgeId edge) {
  return std::visit(StatementStep{*this, state, edge}, program_.edge(edge).statement);
}

}  // namespace heddle::check
