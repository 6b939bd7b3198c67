// C11 atomics, the __atomic_* and the __sync_* builtins. Every order is recorded, and
// all are run as sequentially consistent. A weak compare-exchange never fails
// spuriously, as on x86.
#include <array>

#include "base/check.hpp"
#include "frontend/function.hpp"

namespace heddle::frontend {
namespace {

struct SyncName {
  std::string_view name;
  ir::RmwOp op;
};
constexpr std::array<SyncName, 6> sync_operations{{{"add", ir::RmwOp::add},
                                                   {"sub", ir::RmwOp::sub},
                                                   {"or", ir::RmwOp::bit_or},
                                                   {"and", ir::RmwOp::bit_and},
                                                   {"xor", ir::RmwOp::bit_xor},
                                                   {"nand", ir::RmwOp::nand}}};

}  // namespace

ir::MemoryOrder FunctionLowering::order_of(const clang::Expr* expr) {
  clang::Expr::EvalResult result;
  if (expr == nullptr || !expr->EvaluateAsInt(result, unit_.context()))
    return ir::MemoryOrder::seq_cst;
  switch (result.Val.getInt().getExtValue() & 7) {
    case 0:
      return ir::MemoryOrder::relaxed;
    case 1:
    case 2:
      return ir::MemoryOrder::acquire;
    case 3:
      return ir::MemoryOrder::release;
    case 4:
      return ir::MemoryOrder::acq_rel;
    default:
      return ir::MemoryOrder::seq_cst;
  }
}

ir::ExprId FunctionLowering::update(ir::ExprId address, ir::RmwOp op, ir::ExprId operand,
                                    ir::MemoryOrder order) {
  const ir::TypeId stored = builder_.type_of(address).element;
  const ir::RegId before = temporary(stored);
  emit(ir::Update{before, address, op, builder_.cast(stored, operand), {}, order});
  return builder_.reg(before);
}

ir::ExprId FunctionLowering::compare_exchange(ir::ExprId address, ir::ExprId expected,
                                              ir::ExprId desired, ir::MemoryOrder order) {
  const ir::TypeId stored = builder_.type_of(address).element;
  const ir::RegId before = temporary(stored);
  emit(ir::Update{before, address, ir::RmwOp::compare_exchange, builder_.cast(stored, desired),
                  builder_.cast(stored, expected), order});
  return builder_.reg(before);
}

ir::ExprId FunctionLowering::applied(ir::RmwOp op, ir::ExprId before, ir::ExprId operand) {
  const ir::ExprId with = builder_.cast(builder_.expr(before).type, operand);
  switch (op) {
    case ir::RmwOp::add:
      return builder_.binary(ir::Op::add, before, with);
    case ir::RmwOp::sub:
      return builder_.binary(ir::Op::sub, before, with);
    case ir::RmwOp::bit_and:
      return builder_.binary(ir::Op::bit_and, before, with);
    case ir::RmwOp::bit_or:
      return builder_.binary(ir::Op::bit_or, before, with);
    case ir::RmwOp::bit_xor:
      return builder_.binary(ir::Op::bit_xor, before, with);
    case ir::RmwOp::nand:
      return builder_.unary(ir::Op::bit_not, builder_.binary(ir::Op::bit_and, before, with));
    case ir::RmwOp::exchange:
    case ir::RmwOp::compare_exchange:
      return with;
  }
  return with;
}

ir::ExprId FunctionLowering::atomic(const clang::AtomicExpr* expr) {
  using clang::AtomicExpr;
  const ir::ExprId pointer = keep(value(expr->getPtr()));
  clang::QualType target = expr->getPtr()->getType()->getPointeeType();
  if (const auto* qualified = target->getAs<clang::AtomicType>())
    target = qualified->getValueType();
  if (!scalar(target)) unsupported("an atomic operation on a record");
  const ir::TypeId stored = type(target);
  const ir::ExprId address = builder_.cast(builder_.pointer_to(stored), pointer);
  const ir::MemoryOrder order = expr->getOp() == AtomicExpr::AO__c11_atomic_init
                                    ? ir::MemoryOrder::relaxed
                                    : order_of(expr->getOrder());
  const bool is_void = expr->getType()->isVoidType();
  const auto first = [&] { return keep(value(expr->getVal1())); };
  const auto through =
      [&](const clang::Expr* where) {  // the value that a pointer argument points to
        return memory_place(value(where), where->getType()->getPointeeType());
      };
  const auto result = [&](ir::ExprId outcome) {
    return is_void ? ir::ExprId{} : builder_.cast(type(expr->getType()), outcome);
  };
  const auto fetch = [&](ir::RmwOp op, bool new_value) {
    ir::ExprId operand = first();
    if (builder_.type(stored).kind != ir::TypeKind::pointer) {
      if (builder_.type(stored).kind == ir::TypeKind::floating)
        unsupported("atomic arithmetic on floating types");
      const ir::ExprId before = update(address, op, operand, order);
      return result(new_value ? applied(op, before, operand) : before);
    }
    // Pointers: C11 counts elements, GCC's builtins count bytes.
    emit(ir::Atomic{ir::AtomicMark::begin});
    const Place where{.address = address, .type = stored, .order = order};
    const ir::ExprId before = read(where);
    operand = builder_.cast(index_type(), operand);
    if (op == ir::RmwOp::sub) operand = builder_.unary(ir::Op::neg, operand);
    const ir::ExprId after =
        keep(expr->getOp() == AtomicExpr::AO__c11_atomic_fetch_add ||
                     expr->getOp() == AtomicExpr::AO__c11_atomic_fetch_sub
                 ? builder_.ptr_add(before, operand)
                 : builder_.cast(stored,
                                 builder_.ptr_add(builder_.cast(byte_pointer(), before), operand)));
    write(where, after);
    emit(ir::Atomic{ir::AtomicMark::end});
    return result(new_value ? after : before);
  };
  switch (expr->getOp()) {
    case AtomicExpr::AO__c11_atomic_init:
    case AtomicExpr::AO__c11_atomic_store:
    case AtomicExpr::AO__atomic_store_n:
      write({.address = address, .type = stored, .order = order}, first());
      return {};
    case AtomicExpr::AO__atomic_store:
      write({.address = address, .type = stored, .order = order},
            keep(read(through(expr->getVal1()))));
      return {};
    case AtomicExpr::AO__c11_atomic_load:
    case AtomicExpr::AO__atomic_load_n:
      return result(read({.address = address, .type = stored, .order = order}));
    case AtomicExpr::AO__atomic_load: {
      const ir::ExprId loaded = read({.address = address, .type = stored, .order = order});
      write(through(expr->getVal1()), loaded);
      return {};
    }
    case AtomicExpr::AO__c11_atomic_exchange:
    case AtomicExpr::AO__atomic_exchange_n:
      return result(update(address, ir::RmwOp::exchange, first(), order));
    case AtomicExpr::AO__atomic_exchange: {
      const ir::ExprId desired = keep(read(through(expr->getVal1())));
      const ir::ExprId before = update(address, ir::RmwOp::exchange, desired, order);
      write(through(expr->getVal2()), before);
      return {};
    }
    case AtomicExpr::AO__c11_atomic_compare_exchange_strong:
    case AtomicExpr::AO__c11_atomic_compare_exchange_weak:
    case AtomicExpr::AO__atomic_compare_exchange:
    case AtomicExpr::AO__atomic_compare_exchange_n: {
      Place expected = through(expr->getVal1());
      expected.address = keep(expected.address);
      const ir::ExprId wanted = keep(read(expected));
      const bool by_address = expr->getOp() == AtomicExpr::AO__atomic_compare_exchange;
      const ir::ExprId desired =
          keep(by_address ? read(through(expr->getVal2())) : value(expr->getVal2()));
      const ir::ExprId before = compare_exchange(address, wanted, desired, order);
      const ir::ExprId success =
          keep(builder_.binary(ir::Op::eq, before, builder_.cast(stored, wanted)));
      const ir::LocId failed = fresh(), after = fresh();
      branch_on(success, after, failed);
      start(failed);
      write(expected, before);
      jump(after);
      start(after);
      return result(success);
    }
    case AtomicExpr::AO__c11_atomic_fetch_add:
    case AtomicExpr::AO__atomic_fetch_add:
      return fetch(ir::RmwOp::add, false);
    case AtomicExpr::AO__c11_atomic_fetch_sub:
    case AtomicExpr::AO__atomic_fetch_sub:
      return fetch(ir::RmwOp::sub, false);
    case AtomicExpr::AO__c11_atomic_fetch_and:
    case AtomicExpr::AO__atomic_fetch_and:
      return fetch(ir::RmwOp::bit_and, false);
    case AtomicExpr::AO__c11_atomic_fetch_or:
    case AtomicExpr::AO__atomic_fetch_or:
      return fetch(ir::RmwOp::bit_or, false);
    case AtomicExpr::AO__c11_atomic_fetch_xor:
    case AtomicExpr::AO__atomic_fetch_xor:
      return fetch(ir::RmwOp::bit_xor, false);
    case AtomicExpr::AO__c11_atomic_fetch_nand:
    case AtomicExpr::AO__atomic_fetch_nand:
      return fetch(ir::RmwOp::nand, false);
    case AtomicExpr::AO__atomic_add_fetch:
      return fetch(ir::RmwOp::add, true);
    case AtomicExpr::AO__atomic_sub_fetch:
      return fetch(ir::RmwOp::sub, true);
    case AtomicExpr::AO__atomic_and_fetch:
      return fetch(ir::RmwOp::bit_and, true);
    case AtomicExpr::AO__atomic_or_fetch:
      return fetch(ir::RmwOp::bit_or, true);
    case AtomicExpr::AO__atomic_xor_fetch:
      return fetch(ir::RmwOp::bit_xor, true);
    case AtomicExpr::AO__atomic_nand_fetch:
      return fetch(ir::RmwOp::nand, true);
    default:
      break;
  }
  unsupported("this atomic operation");
}

std::optional<ir::ExprId> FunctionLowering::sync_builtin(const std::string& name,
                                                         const clang::CallExpr* call) {
  if (name.ends_with("_fence") || name == "__sync_synchronize") return ir::ExprId{};
  if (name == "__atomic_test_and_set" || name == "__atomic_clear") {
    const ir::TypeId byte = builder_.int_type(8, false);
    const ir::ExprId flag = builder_.cast(builder_.pointer_to(byte), value(call->getArg(0)));
    const ir::MemoryOrder wanted = order_of(call->getArg(1));
    if (name == "__atomic_clear") {
      write({.address = flag, .type = byte, .order = wanted}, builder_.constant(byte, 0));
      return ir::ExprId{};
    }
    const ir::ExprId before = update(flag, ir::RmwOp::exchange, builder_.constant(byte, 1), wanted);
    return builder_.cast(type(call->getType()), builder_.truth(before));
  }
  if (name.ends_with("lock_free")) return builder_.constant(type(call->getType()), 1);
  if (call->getNumArgs() == 0) return std::nullopt;
  const clang::QualType pointee =
      call->getArg(0)->IgnoreParenImpCasts()->getType()->getPointeeType();
  clang::QualType target =
      pointee.isNull() ? call->getArg(0)->getType()->getPointeeType() : pointee;
  if (const auto* qualified = target->getAs<clang::AtomicType>())
    target = qualified->getValueType();
  if (!scalar(target)) unsupported(name + " on a record");
  const ir::TypeId stored = type(target);
  const ir::ExprId address =
      keep(builder_.cast(builder_.pointer_to(stored), value(call->getArg(0))));
  const auto arg = [&](unsigned index) {
    return keep(builder_.cast(stored, value(call->getArg(index))));
  };
  const auto result = [&](ir::ExprId outcome) {
    return call->getType()->isVoidType() ? ir::ExprId{}
                                         : builder_.cast(type(call->getType()), outcome);
  };
  constexpr ir::MemoryOrder order = ir::MemoryOrder::seq_cst;
  if (name.starts_with("__sync_bool_compare_and_swap") ||
      name.starts_with("__sync_val_compare_and_swap")) {
    const ir::ExprId expected = arg(1), desired = arg(2);
    const ir::ExprId before = compare_exchange(address, expected, desired, order);
    return result(name.starts_with("__sync_val") ? before
                                                 : builder_.binary(ir::Op::eq, before, expected));
  }
  if (name.starts_with("__sync_lock_test_and_set"))
    return result(update(address, ir::RmwOp::exchange, arg(1), order));
  if (name.starts_with("__sync_swap"))
    return result(update(address, ir::RmwOp::exchange, arg(1), order));
  if (name.starts_with("__sync_lock_release")) {
    write({.address = address, .type = stored, .order = order}, builder_.constant(stored, 0));
    return ir::ExprId{};
  }
  for (const auto& [operation, op] : sync_operations) {
    const std::string fetch_first = "__sync_fetch_and_" + std::string(operation);
    const std::string fetch_last = "__sync_" + std::string(operation) + "_and_fetch";
    const bool before_wanted = name.starts_with(fetch_first);
    if (!before_wanted && !name.starts_with(fetch_last)) continue;
    if (builder_.type(stored).kind == ir::TypeKind::pointer) unsupported(name + " on a pointer");
    const ir::ExprId operand = arg(1);
    const ir::ExprId before = update(address, op, operand, order);
    return result(before_wanted ? before : applied(op, before, operand));
  }
  return std::nullopt;
}

}  // namespace heddle::frontend
