// Objects, addresses and cells of SymbolicStep. An address is a term; which object it lies in is
// decided case by case, unless it is plainly the address of one.
#include <algorithm>

#include "check/symbolic_step.hpp"

namespace heddle::check {

using smt::Term;
using smt::TermOp;

std::optional<std::size_t> SymbolicStep::allocation_index(ir::EdgeId edge) const {
  for (std::size_t i = 0; i < allocations_.size(); ++i)
    if (allocations_[i].first == edge) return i;
  return std::nullopt;
}

bool SymbolicStep::may_be_unset(const verdict::Cell& cell) const {
  if (has_clobber_) return true;
  if (cell.global.valid()) return program_.global(cell.global).kind == ir::GlobalKind::external;
  return std::get<ir::Alloc>(program_.edge(cell.allocation).statement).contents ==
         ir::Contents::unset;
}

// Live objects are apart, so the address of one, or a place behind it, is in no other.
auto SymbolicStep::only_candidate(const SymbolicState& state, Term address)
    -> std::optional<Candidate> {
  const smt::TermNode& node = terms_.node(address);
  if (node.op == TermOp::constant) {
    for (const Object& object : objects_)
      if (object.address &&
          node.payload - *object.address < std::max<std::uint64_t>(1, object.size))
        return Candidate{&object, terms_.constant(pointer_bits_, node.payload - *object.address),
                         terms_.yes()};
    return std::nullopt;
  }
  const bool moved = node.op == TermOp::add && terms_.is_constant(node.args[1]);
  const Term start = moved ? node.args[0] : address;
  const std::uint64_t distance = moved ? terms_.value(node.args[1]) : 0;
  for (const auto& [edge, index] : allocations_) {
    const Object& object = objects_[index];
    const ObjectTerms& newest = state.allocated[*object.allocation];
    if (newest.base == start && distance < std::max<std::uint64_t>(1, object.size))
      return Candidate{&object, terms_.constant(pointer_bits_, distance), newest.live};
  }
  return std::nullopt;
}

auto SymbolicStep::candidates(const SymbolicState& state, Term address) -> std::vector<Candidate> {
  if (const std::optional<Candidate> one = only_candidate(state, address)) return {*one};
  std::vector<Candidate> found;
  const smt::Range range = terms_.range(address);
  for (const Object& object : objects_) {
    if (object.address) {
      if (range.high < *object.address || range.low > *object.address + object.size) continue;
      const Term base = terms_.constant(pointer_bits_, *object.address);
      found.push_back({&object, terms_.binary(TermOp::sub, address, base), terms_.yes()});
    } else {
      const ObjectTerms& newest = state.allocated[*object.allocation];
      if (terms_.is_false(newest.live)) continue;
      found.push_back({&object, terms_.binary(TermOp::sub, address, newest.base), newest.live});
    }
  }
  return found;
}

Term SymbolicStep::inside(const Candidate& candidate, std::uint64_t bytes) {
  if (candidate.object->size < bytes) return terms_.no();
  const Term last = terms_.constant(pointer_bits_, candidate.object->size - bytes);
  return terms_.and_(candidate.live, terms_.binary(TermOp::ule, candidate.distance, last));
}

Term SymbolicStep::exactly(const Candidate& candidate, const Reach& reach, std::size_t cell) {
  if (!reach.whole || cells_[cell].bytes != reach.bytes) return terms_.no();
  const Term offset = terms_.constant(pointer_bits_, cells_[cell].offset);
  return terms_.and_(inside(candidate, reach.bytes), terms_.equal(candidate.distance, offset));
}

// Some byte is in both: the distance lies in (offset - bytes, offset + cell).
Term SymbolicStep::touches(const Candidate& candidate, const Reach& reach, std::size_t cell) {
  const std::uint64_t shift = reach.bytes - 1 - cells_[cell].offset;
  const Term moved =
      terms_.binary(TermOp::add, candidate.distance, terms_.constant(pointer_bits_, shift));
  const Term span = terms_.constant(pointer_bits_, reach.bytes + cells_[cell].bytes - 2);
  return terms_.and_(inside(candidate, reach.bytes), terms_.binary(TermOp::ule, moved, span));
}

void SymbolicStep::require_valid(const SymbolicState& state, ir::EdgeId edge, const Reach& reach,
                                 const std::vector<Candidate>& found, Purpose purpose) {
  Term valid = terms_.no();
  for (const Candidate& candidate : found)
    if (purpose == Purpose::read || !candidate.object->read_only)
      valid = terms_.or_(valid, inside(candidate, reach.bytes));
  wrong(terms_.and_(state.guard, terms_.not_(valid)), edge, "an access may be invalid");
}

Term SymbolicStep::read(SymbolicState& state, ir::EdgeId edge, const Reach& reach,
                        const std::vector<Candidate>& found, ir::MemoryOrder order) {
  const bool plain = order == ir::MemoryOrder::plain;
  Term result = fresh(reach.bytes * 8);
  for (const Candidate& candidate : found)
    for (const std::size_t index : candidate.object->cells) {
      CellTerms& cell = state.cells[index];
      const Term exact = exactly(candidate, reach, index);
      if (!terms_.is_false(exact)) {
        const Term zero = terms_.constant(reach.bytes * 8, 0);
        const Term seen = plain ? cell.value : terms_.ite(cell.set, cell.value, zero);
        result = terms_.ite(exact, seen, result);
        if (plain) cell.set = terms_.or_(cell.set, exact);  // memory keeps what was read
      }
      // A part of an unset cell would be set from here on.
      if (!terms_.is_true(cell.set) && plain)
        wrong(terms_.and_(terms_.and_(state.guard, terms_.not_(cell.set)),
                          terms_.and_(touches(candidate, reach, index), terms_.not_(exact))),
              edge, "a part of an unset cell is read");
    }
  return result;
}

void SymbolicStep::write(SymbolicState& state, ir::EdgeId edge, const Reach& reach,
                         const std::vector<Candidate>& found, Term value, Term when) {
  for (const Candidate& candidate : found)
    for (const std::size_t index : candidate.object->cells) {
      CellTerms& cell = state.cells[index];
      const Term touched = terms_.and_(when, touches(candidate, reach, index));
      if (terms_.is_false(touched)) continue;
      const Term exact = terms_.and_(when, exactly(candidate, reach, index));
      const Term partly = terms_.and_(touched, terms_.not_(exact));
      if (!terms_.is_true(cell.set))
        wrong(terms_.and_(terms_.and_(state.guard, terms_.not_(cell.set)), partly), edge,
              "a part of an unset cell is written");
      const Term any = terms_.is_false(partly) ? cell.value : fresh(cells_[index].bytes * 8);
      const Term kept = terms_.ite(partly, any, cell.value);
      cell.value = terms_.is_false(exact) ? kept : terms_.ite(exact, value, kept);
      cell.set = terms_.or_(cell.set, exact);
    }
}

// ---- lifetimes -------------------------------------------------------------------

void SymbolicStep::place(const SymbolicState& state, std::size_t allocation) {
  const machine::Arena arena = memory_.layout().arena(0);
  const std::uint64_t size = objects_[allocations_[allocation].second].size;
  const ObjectTerms& object = state.allocated[allocation];
  const auto at = [&](std::uint64_t address) { return terms_.constant(pointer_bits_, address); };
  const Term placed =
      terms_.and_(terms_.binary(TermOp::ule, at(arena.base), object.base),
                  terms_.binary(TermOp::ule, object.base, at(arena.model_end - size)));
  facts_.push_back(terms_.implies(terms_.and_(state.guard, object.live), placed));
}

void SymbolicStep::separate(const SymbolicState& state, std::size_t left, std::size_t right) {
  const ObjectTerms &a = state.allocated[left], &b = state.allocated[right];
  const auto end = [&](std::size_t index) {
    const std::uint64_t size = objects_[allocations_[index].second].size;
    return terms_.binary(TermOp::add, state.allocated[index].base,
                         terms_.constant(pointer_bits_, std::max<std::uint64_t>(1, size)));
  };
  const Term apart = terms_.or_(terms_.binary(TermOp::ule, end(left), b.base),
                                terms_.binary(TermOp::ule, end(right), a.base));
  const Term both = terms_.and_(state.guard, terms_.and_(a.live, b.live));
  facts_.push_back(terms_.implies(both, apart));
}

void SymbolicStep::allocate(SymbolicState& state, ir::EdgeId edge, const ir::Alloc& statement) {
  const std::size_t index = *allocation_index(edge);
  const Object& object = objects_[allocations_[index].second];
  const std::optional<Term> size = translate(state, statement.size);
  if (!size || !terms_.is_constant(*size) || terms_.value(*size) != object.size ||
      object.size > machine::Memory::largest_object)
    return wrong(state.guard, edge, "an allocation of a size that is not known");
  state.allocated[index] = {fresh(pointer_bits_), terms_.yes()};
  place(state, index);
  for (std::size_t other = 0; other < allocations_.size(); ++other)
    if (other != index) separate(state, index, other);
  for (const std::size_t at : object.cells) {
    const std::uint32_t width = cells_[at].bytes * 8;
    const bool zero = statement.contents == ir::Contents::zero;
    state.cells[at] = {zero ? terms_.constant(width, 0) : fresh(width),
                       zero ? terms_.yes() : terms_.no()};
  }
  const ir::RegId to = statement.to;
  state.registers[program_.reg(to).index] = state.allocated[index].base;
}

void SymbolicStep::clobber(SymbolicState& state, Term address) {
  for (const Candidate& candidate : candidates(state, address)) {
    if (candidate.object->read_only) continue;
    const Term hit = inside(candidate, std::min<std::uint64_t>(1, candidate.object->size));
    for (const std::size_t index : candidate.object->cells) {
      CellTerms& cell = state.cells[index];
      cell.value = terms_.ite(hit, fresh(cells_[index].bytes * 8), cell.value);
      cell.set = terms_.and_(cell.set, terms_.not_(hit));
    }
  }
}

void SymbolicStep::free(SymbolicState& state, ir::EdgeId edge, Term address) {
  Term fine = terms_.equal(address, terms_.constant(pointer_bits_, 0));
  for (const Candidate& candidate : candidates(state, address)) {
    if (!candidate.object->heap) continue;
    const Term hit = terms_.and_(
        candidate.live, terms_.equal(candidate.distance, terms_.constant(pointer_bits_, 0)));
    ObjectTerms& object = state.allocated[*candidate.object->allocation];
    object.live = terms_.and_(object.live, terms_.not_(hit));
    fine = terms_.or_(fine, hit);
  }
  wrong(terms_.and_(state.guard, terms_.not_(fine)), edge, "a block may be freed wrongly");
}

}  // namespace heddle::check
