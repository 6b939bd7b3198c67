#include "sequentialize/variables.hpp"

#include <fmt/format.h>

namespace heddle::sequentialize {

using namespace ir;

const Alloc& Variables::allocation(StepRef at) const {
  return std::get<Alloc>(steps_.edge(at).statement);
}

std::uint64_t Variables::bytes(StepRef at) const {
  return program_.expr(allocation(at).size).payload;
}

bool Variables::possible(StepRef at) const {
  const Expr& size = program_.expr(allocation(at).size);
  return size.op == Op::constant && size.payload > 0;
}

// What its address is, or is cast to, if that is as large.
TypeId Variables::type_of_block(StepRef at) {
  const Alloc& alloc = allocation(at);
  const auto fits = [&](TypeId id) {
    const Type& pointer = program_.type(id);
    if (pointer.kind != TypeKind::pointer) return false;
    const Type& type = program_.type(pointer.element);
    return type.kind != TypeKind::void_type && type.kind != TypeKind::function && type.complete &&
           type.size == bytes(at);
  };
  if (fits(program_.reg(alloc.to).type)) return program_.type(program_.reg(alloc.to).type).element;
  const Function& function = program_.function(program_.function_of(steps_.step(at).edge));
  for (const LocId from : function.locations)
    for (const EdgeId id : program_.out(from)) {
      const auto* assign = std::get_if<Assign>(&program_.edge(id).statement);
      if (assign == nullptr || program_.expr(assign->value).op != Op::cast) continue;
      const Expr& block = program_.expr(program_.expr(assign->value).args[0]);
      if (block.op != Op::reg || block.payload != alloc.to.value) continue;
      if (fits(program_.expr(assign->value).type))
        return program_.type(program_.expr(assign->value).type).element;
    }
  ProgramBuilder& build = emitter_.build();
  return build.array_of(build.int_type(8, false), bytes(at));
}

// What is zeroed is a global one, whose address every verifier knows to be a constant.
void Variables::keep(StepRef at, std::uint32_t count, Counting counting) {
  ProgramBuilder& build = emitter_.build();
  Kept kept{at, count, type_of_block(at), {}, {}};
  std::string name = allocation(at).name;
  if (name.empty()) name = build.type(kept.type).name;
  name = fmt::format("t{}_{}", at.thread, name.empty() ? "block" : name);
  const TypeId all = count == 1 ? kept.type : build.array_of(kept.type, count);
  if (allocation(at).contents == Contents::zero) {
    Global global;
    global.name = name;
    global.type = all;
    kept.first = build.global_address(build.add_global(std::move(global)));
  } else {
    kept.first = emitter_.value(emitter_.scalar(name, build.pointer_to(all)));
  }
  if (count > 1 || counting == Counting::always)
    kept.taken = emitter_.scalar(name + "_taken", build.size_type());
  kept_.emplace(std::pair{at.thread, at.step}, kept);
}

void Variables::declare() {
  ProgramBuilder& build = emitter_.build();
  for (const auto& [key, kept] : kept_) {
    if (build.expr(kept.first).op == Op::reg) {
      Alloc made;
      made.to = RegId{static_cast<std::uint32_t>(build.expr(kept.first).payload)};
      made.size = build.constant(build.size_type(), kept.count * bytes(kept.at));
      made.kind = AllocKind::stack;
      made.name = build.view().reg(made.to).name;
      emitter_.emit(std::move(made));
    }
    if (kept.taken.valid()) emitter_.assign(kept.taken, 0);
  }
}

void Variables::take(StepRef at, LocId beyond) {
  ProgramBuilder& build = emitter_.build();
  const Kept& kept = of(at);
  const base::SourceRange source = steps_.edge(at).source;
  ExprId address = build.cast(build.pointer_to(kept.type), kept.first);
  if (kept.count > 1) {
    emitter_.branch(emitter_.equals(kept.taken, kept.count), beyond, source);
    address = build.ptr_add(address, emitter_.value(kept.taken));
  }
  const RegId to = steps_.renamed(at, allocation(at).to);
  const ExprId value = build.cast(build.view().reg(to).type, address);
  emitter_.stands_for(emitter_.emit(Assign{to, value}, source), steps_.origin(at));
  if (!kept.taken.valid()) return;
  const ExprId one = build.constant(build.size_type(), 1);
  const ExprId next = build.binary(Op::add, emitter_.value(kept.taken), one);
  emitter_.assign(kept.taken, kept.count == 1 ? one : next, source);
}

ExprId Variables::is_ahead(StepRef at, ExprId address) {
  ProgramBuilder& build = emitter_.build();
  const Kept& kept = of(at);
  const TypeId size = build.size_type();
  const ExprId offset = build.binary(Op::sub, address, build.cast(size, kept.first));
  const ExprId inside = build.binary(Op::lt, offset, build.constant(size, kept.count * bytes(at)));
  if (kept.count == 1) return emitter_.both(inside, emitter_.equals(kept.taken, 0));
  const ExprId end =
      build.binary(Op::mul, emitter_.value(kept.taken), build.constant(size, bytes(at)));
  return emitter_.both(inside, build.binary(Op::le, end, offset));
}

}  // namespace heddle::sequentialize
