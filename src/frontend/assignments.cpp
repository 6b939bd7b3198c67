// Assignments as expressions: plain, compound, and stepping by one.
#include "frontend/function.hpp"

namespace heddle::frontend {

ir::ExprId FunctionLowering::assign(const clang::BinaryOperator* assignment) {
  if (!scalar(assignment->getType())) unsupported("assignment of this type as a value");
  const ir::ExprId stored = value(assignment->getRHS());
  const Place target = place(assignment->getLHS());
  const ir::ExprId converted = builder_.cast(target.type, stored);
  write(target, converted);
  if (target.reg.valid()) return builder_.reg(target.reg);
  if (target.bits.whole() || builder_.type(target.type).kind == ir::TypeKind::boolean)
    return converted;
  // The value of an assignment to a bit-field is what the bit-field can hold.
  const ir::ExprId spare = int_constant(builder_.type(target.type).width - target.bits.width);
  return builder_.binary(ir::Op::shr, builder_.binary(ir::Op::shl, converted, spare), spare);
}

// x op= y, and also x++ on an _Atomic object: one uninterrupted step.
ir::ExprId FunctionLowering::compound_assign(const clang::CompoundAssignOperator* assignment) {
  const ir::ExprId operand = keep(value(assignment->getRHS()));
  const Place target = place(assignment->getLHS());
  const auto op = clang::BinaryOperator::getOpForCompoundAssignment(assignment->getOpcode());
  const bool uninterrupted = target.order != ir::MemoryOrder::plain;
  if (uninterrupted) emit(ir::Atomic{ir::AtomicMark::begin});
  const ir::ExprId before = read(target);
  const clang::QualType computed = assignment->getComputationLHSType();
  const ir::TypeId result = type(assignment->getComputationResultType());
  const ir::ExprId left =
      computed->isPointerType() ? before : builder_.cast(type(computed), before);
  const ir::ExprId after = builder_.cast(
      target.type,
      arithmetic(op, left, operand, computed, assignment->getRHS()->getType(), result));
  const ir::ExprId kept = target.reg.valid() ? after : keep(after);
  write(target, kept);
  if (uninterrupted) emit(ir::Atomic{ir::AtomicMark::end});
  return target.reg.valid() ? builder_.reg(target.reg) : kept;
}

ir::ExprId FunctionLowering::step_value(const clang::UnaryOperator* step) {
  const Place target = place(step->getSubExpr());
  const bool increment = step->isIncrementOp();
  const clang::QualType operand = step->getSubExpr()->getType().getAtomicUnqualifiedType();
  const ir::Type& stepped = builder_.type(target.type);
  if (target.order != ir::MemoryOrder::plain && stepped.kind == ir::TypeKind::integer) {
    const ir::RmwOp op = increment ? ir::RmwOp::add : ir::RmwOp::sub;
    const ir::ExprId one = builder_.constant(target.type, 1);
    const ir::ExprId before = update(target.address, op, one, target.order);
    return step->isPostfix() ? before : applied(op, before, one);
  }
  const bool uninterrupted = target.order != ir::MemoryOrder::plain;
  if (uninterrupted) emit(ir::Atomic{ir::AtomicMark::begin});
  const ir::ExprId before = target.reg.valid() ? keep(read(target)) : read(target);
  ir::ExprId after;
  if (operand->isPointerType()) {
    after = move_pointer(before, operand,
                         builder_.constant(index_type(), increment ? 1 : ~std::uint64_t{0}));
  } else {
    const bool real = builder_.type(target.type).kind == ir::TypeKind::floating;
    // Narrow types step as int and convert back, as C says.
    const ir::TypeId computed =
        !real && builder_.type(target.type).width < 32 ? int_type() : target.type;
    const ir::ExprId one =
        real ? builder_.cast(computed, int_constant(1)) : builder_.constant(computed, 1);
    after = builder_.cast(target.type, builder_.binary(increment ? ir::Op::add : ir::Op::sub,
                                                       builder_.cast(computed, before), one));
  }
  if (!target.reg.valid()) after = keep(after);
  write(target, after);
  if (uninterrupted) emit(ir::Atomic{ir::AtomicMark::end});
  if (step->isPostfix()) return before;
  return target.reg.valid() ? builder_.reg(target.reg) : after;
}

}  // namespace heddle::frontend
