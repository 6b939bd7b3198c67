#include "machine/evaluate.hpp"

#include "base/check.hpp"
#include "ir/arithmetic.hpp"

namespace heddle::machine {
namespace {

using ir::Op;

struct Evaluation {
  const ir::Program& program;
  const Layout& layout;
  const Frame* frame;
  std::optional<ThreadNumber> thread;
  Override instead;

  const ir::Type& type_of(ir::ExprId id) const { return program.type(program.expr(id).type); }

  std::uint64_t register_value(ir::RegId reg) const {
    if (reg == instead.reg) return instead.value;
    CHECK(frame != nullptr, "a constant reads no register");
    return frame->registers[program.reg(reg).index];
  }

  std::uint64_t global_address(ir::GlobalId id) const {
    if (program.global(id).storage == ir::Storage::process) return layout.global(id);
    CHECK(thread, "only a running thread has copies of thread-local globals");
    const std::optional<Address> copy = layout.thread_copy(*thread, id);
    CHECK(copy, "a thread starts only if its thread-local globals have room");
    return *copy;
  }

  std::uint64_t ptr_add(const ir::Expr& expr) const {
    const ir::Type& pointer = program.type(expr.type);
    const ir::Type& index_type = type_of(expr.args[1]);
    const std::uint64_t raw = (*this)(expr.args[1]);
    const std::uint64_t index =
        index_type.is_signed ? static_cast<std::uint64_t>(ir::as_signed(index_type, raw)) : raw;
    const std::uint64_t size = program.type(pointer.element).size;
    return ir::truncate(pointer, (*this)(expr.args[0]) + index * size);
  }

  std::uint64_t ptr_diff(const ir::Expr& expr) const {
    const ir::Type& pointer = type_of(expr.args[0]);
    const std::int64_t bytes =
        ir::as_signed(pointer, (*this)(expr.args[0]) - (*this)(expr.args[1]));
    const std::uint64_t size = program.type(pointer.element).size;
    const std::int64_t elements = size == 0 ? 0 : bytes / static_cast<std::int64_t>(size);
    return ir::truncate(program.type(expr.type), static_cast<std::uint64_t>(elements));
  }

  std::uint64_t field(const ir::Expr& expr) const {
    const ir::Type& record = program.type(type_of(expr.args[0]).element);
    return ir::truncate(program.type(expr.type),
                        (*this)(expr.args[0]) + record.fields[expr.payload].offset);
  }

  std::uint64_t operator()(ir::ExprId id) const {
    const ir::Expr& expr = program.expr(id);
    switch (expr.op) {
      case Op::constant:
        return expr.payload;
      case Op::reg:
        return register_value({static_cast<std::uint32_t>(expr.payload)});
      case Op::global_address:
        return global_address({static_cast<std::uint32_t>(expr.payload)});
      case Op::function_address:
        return layout.function({static_cast<std::uint32_t>(expr.payload)});
      case Op::neg:
      case Op::bit_not:
      case Op::logical_not:
        return ir::apply_unary(expr.op, type_of(expr.args[0]), (*this)(expr.args[0]));
      case Op::shl:
      case Op::shr:
        return ir::apply_shift(expr.op, type_of(expr.args[0]), (*this)(expr.args[0]),
                               (*this)(expr.args[1]));
      case Op::add:
      case Op::sub:
      case Op::mul:
      case Op::div:
      case Op::rem:
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor:
      case Op::eq:
      case Op::ne:
      case Op::lt:
      case Op::le:
      case Op::add_overflows:
      case Op::sub_overflows:
      case Op::mul_overflows:
        return ir::apply_binary(expr.op, type_of(expr.args[0]), (*this)(expr.args[0]),
                                (*this)(expr.args[1]));
      case Op::cast:
        return ir::convert(type_of(expr.args[0]), program.type(expr.type), (*this)(expr.args[0]));
      case Op::select:
        return (*this)(expr.args[0]) != 0 ? (*this)(expr.args[1]) : (*this)(expr.args[2]);
      case Op::ptr_add:
        return ptr_add(expr);
      case Op::ptr_diff:
        return ptr_diff(expr);
      case Op::field:
        return field(expr);
    }
    CHECK(false, "every operator has a value");
    return 0;
  }
};

}  // namespace

std::uint64_t evaluate(const ir::Program& program, const Layout& layout, const Frame* frame,
                       std::optional<ThreadNumber> thread, ir::ExprId id, Override instead) {
  return Evaluation{program, layout, frame, thread, instead}(id);
}

}  // namespace heddle::machine
