// Objects that come to life and die, and unknown code that changes them.
#include "engine/bmc/executor.hpp"

namespace heddle::engine::bmc {

using smt::TermOp;
using verdict::Check;
using verdict::Gap;

bool Executor::operate(Step at, State& state, const ir::Alloc& s) {
  const std::optional<Term> size = value(at, state, s.size);
  if (!size) return false;
  std::uint64_t room = round_.options.largest_block;
  if (terms_.is_constant(*size)) {
    room = terms_.value(*size);
    if (room > machine::Memory::largest_object)
      cut(at, state, terms_.yes(), Gap::bound, "an object is larger than we model");
  } else {
    const Term most = terms_.constant(terms_.width(*size), room);
    cut(at, state, terms_.binary(TermOp::ult, most, *size), Gap::bound,
        "an object of open size is larger than we follow");
  }
  if (terms_.is_false(state.guard.term())) return false;
  Moment moment{no_node, ir::MemoryOrder::plain};
  auto& mine = at.frame.stack_objects;
  if (s.kind == ir::AllocKind::stack)
    for (const auto& [edge, object] : mine)
      if (edge == at.edge)
        write_cell(state, moment, {object, Cell::life, 1}, terms_.no(), terms_.yes());
  const ContextId context = round_.contexts.child(at.frame.context, at.edge, at.key);
  const std::optional<ObjectId> object =
      round_.objects.allocation(context, room, s.kind, s.contents);
  if (object && !terms_.is_constant(*size)) round_.sizes[*object] = *size;
  if (!object) throw TooLarge{Gap::bound, "the address space of a thread is full"};
  if (s.kind == ir::AllocKind::stack || s.kind == ir::AllocKind::frame)
    mine.emplace_back(at.edge, *object);
  if (s.kind == ir::AllocKind::heap) note_block(*object, state.guard.term());
  const auto [made, fresh] = round_.made.emplace(*object, state.guard.term());
  if (!fresh) made->second = terms_.or_(made->second, state.guard.term());
  set(state, s.to,
      terms_.constant(program_.type(program_.reg(s.to).type).width, round_.objects[*object].base));
  note_change(state, terms_.yes());
  log(at, state, terms_.constant(64, round_.objects[*object].base), moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Free& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const Leaves leaves = round_.pointers.leaves(*address);
  Term unknown = leaves.unknown, wrong = terms_.no();
  std::vector<std::pair<ObjectId, Term>> blocks;
  Moment moment{no_node, ir::MemoryOrder::plain};
  for (const Leaf& leaf : leaves.known) {
    if (leaf.rest.valid()) {
      unknown = terms_.or_(unknown, leaf.when);
      continue;
    }
    if (leaf.base == 0) continue;
    const std::optional<ObjectId> object = round_.objects.at(leaf.base);
    if (!object || round_.objects[*object].kind != ir::AllocKind::heap ||
        round_.objects[*object].base != leaf.base) {
      wrong = terms_.or_(wrong, leaf.when);
      continue;
    }
    const Term alive = read_cell(state, moment, {*object, Cell::life, 1}, leaf.when);
    wrong = terms_.or_(wrong, terms_.and_(leaf.when, terms_.not_(alive)));
    blocks.emplace_back(*object, leaf.when);
  }
  cut(at, state, unknown, Gap::bound, "a pointer whose target we cannot follow");
  fail(at, state, wrong, Check::free, "free of what is no live heap block");
  if (terms_.is_false(state.guard.term())) return false;
  for (const auto& [object, when] : blocks) {
    touch(object);
    const auto bytes = static_cast<std::uint32_t>(round_.objects[object].size);
    note_race(state, moment, {{{object, 0, when}}, bytes}, EventKind::write, terms_.yes());
    write_cell(state, moment, {object, Cell::life, 1}, terms_.no(), when);
  }
  log(at, state, Term{}, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::ObjectSize& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const std::uint32_t width = program_.type(program_.reg(s.to).type).width;
  const Leaves leaves = round_.pointers.leaves(*address);
  Term unknown = leaves.unknown, size = terms_.constant(width, 0);
  Moment moment{no_node, ir::MemoryOrder::plain};
  for (const Leaf& leaf : leaves.known) {
    if (leaf.rest.valid()) unknown = terms_.or_(unknown, leaf.when);
    const std::optional<ObjectId> object = round_.objects.at(leaf.base);
    if (leaf.rest.valid() || !object) continue;
    const Term alive = read_cell(state, moment, {*object, Cell::life, 1}, leaf.when);
    size = terms_.ite(terms_.and_(leaf.when, alive),
                      terms_.resize_unsigned(round_.size_of(*object), width), size);
  }
  cut(at, state, unknown, Gap::bound, "a pointer whose target we cannot follow");
  set(state, s.to, size);
  log(at, state, Term{}, moment.node);
  return true;
}

bool Executor::operate(Step at, State& state, const ir::Clobber& s) {
  const std::optional<Term> address = value(at, state, s.address);
  if (!address) return false;
  const Leaves leaves = round_.pointers.leaves(*address);
  Moment moment{no_node, ir::MemoryOrder::plain};
  cut(at, state, leaves.unknown, Gap::bound, "a pointer whose target we cannot follow");
  for (const Leaf& leaf : leaves.known) {
    const std::optional<ObjectId> object = round_.objects.at(leaf.base);
    if (!object) continue;
    if (leaf.rest.valid() || !terms_.is_true(leaf.when) ||
        (round_.property.has(Check::race) && round_.facts.shared_object(*object))) {
      cut(at, state, leaf.when, Gap::unsupported,
          "unknown code is handed memory that we cannot follow");
      continue;
    }
    if (round_.objects[*object].read_only) continue;
    touch(*object);
    state.view.forget(*object, ++round_.versions);
    const std::set<std::uint32_t>& boundaries = round_.facts.boundaries(*object);
    for (auto start = boundaries.begin(); start != boundaries.end(); ++start) {
      const auto end = std::next(start);
      if (end == boundaries.end() || *end - *start > 8) continue;
      write_cell(state, moment, {*object, *start, *end - *start},
                 terms_.variable(8 * (*end - *start)), terms_.yes());
    }
  }
  log(at, state, Term{}, moment.node);
  return !terms_.is_false(state.guard.term());
}
void Executor::note_block(ObjectId object, Term when) {
  const auto [at, fresh] = round_.blocks.emplace(object, when);
  if (!fresh) at->second = terms_.or_(at->second, when);
  round_.allocated_by[object] = thread_;
}

// A block that lives on when the process ends may be a leak, if nothing points to it; we look no
// closer than that.
void Executor::note_leaks(Step at, State& state, NodeIndex node) {
  if (!round_.property.has(Check::leak)) return;
  Term left = terms_.no();
  Moment moment{node, ir::MemoryOrder::plain};
  for (const auto& [object, thread] : round_.facts.blocks()) {
    if (thread != context_) {
      left = terms_.yes();
      continue;
    }
    const auto allocated = round_.blocks.find(object);
    if (allocated == round_.blocks.end()) continue;  // on another path, if at all
    const Term alive = read_cell(state, moment, {object, Cell::life, 1}, allocated->second);
    left = terms_.or_(left, terms_.and_(allocated->second, alive));
  }
  const Term there = terms_.and_(state.guard.term(), left);
  if (terms_.is_false(there)) return;
  round_.unfolding.cuts.push_back({there, node, Gap::unsupported,
                                   "a block is still allocated at the end, which may be a leak",
                                   source(at.edge)});
}

}  // namespace heddle::engine::bmc
