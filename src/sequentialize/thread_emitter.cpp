#include "sequentialize/thread_emitter.hpp"

#include "base/check.hpp"

namespace heddle::sequentialize {

using namespace ir;

EdgeId ThreadEmitter::user_edge(StepRef at) const {
  const ThreadCode& code = threads_[at.thread];
  EdgeId found = step(at).edge;
  for (const CodeFrame* frame = &code.frames[code.points[step(at).from].frame];
       program_.function(frame->function).origin == ir::Origin::model && frame->caller;
       frame = &code.frames[*frame->caller])
    found = frame->call;
  return found;
}

void ThreadEmitter::copy(StepRef at) {
  const Edge& known = edge(at);
  const auto* fail = std::get_if<Fail>(&known.statement);
  if (fail != nullptr && !options_.failures.contains(fail->kind)) return skip(at);
  Statement statement = emitter_.rename(at.thread, frame(at), known.statement);
  if (options_.wording == Wording::plain) {
    if (const auto* update = std::get_if<Update>(&statement))
      return update_plainly(*update, known.source);
    if (auto* load = std::get_if<Load>(&statement)) load->order = MemoryOrder::plain;
    if (auto* store = std::get_if<Store>(&statement)) store->order = MemoryOrder::plain;
  }
  emitter_.stands_for(emitter_.emit(std::move(statement), known.source), origin(at));
}

namespace {

Op operator_of(RmwOp op) {
  switch (op) {
    case RmwOp::add:
      return Op::add;
    case RmwOp::sub:
      return Op::sub;
    case RmwOp::bit_or:
      return Op::bit_or;
    case RmwOp::bit_xor:
      return Op::bit_xor;
    case RmwOp::bit_and:
    case RmwOp::nand:
    case RmwOp::exchange:
    case RmwOp::compare_exchange:
      break;
  }
  return Op::bit_and;
}

// Of two numbers of the type; addresses are computed with as numbers.
ExprId combined(ProgramBuilder& build, const Update& update, ExprId before, TypeId type) {
  if (update.op == RmwOp::exchange || update.op == RmwOp::compare_exchange)
    return build.cast(type, update.operand);
  const bool pointer = build.type(type).kind == TypeKind::pointer;
  const TypeId number = pointer ? build.size_type() : type;
  const ExprId result = build.binary(operator_of(update.op), build.cast(number, before),
                                     build.cast(number, update.operand));
  return build.cast(type, update.op == RmwOp::nand ? build.unary(Op::bit_not, result) : result);
}

}  // namespace

void ThreadEmitter::update_plainly(const Update& update, base::SourceRange source) {
  ProgramBuilder& build = emitter_.build();
  const TypeId type = build.view().reg(update.before).type;
  // The register may be part of the address.
  const RegId seen = emitter_.scalar("seen", type);
  emitter_.emit(Load{seen, update.address}, source);
  const ExprId before = emitter_.value(seen);
  const LocId after = emitter_.fresh();
  if (update.op == RmwOp::compare_exchange)
    emitter_.branch(build.binary(Op::ne, before, build.cast(type, update.expected)), after, source);
  emitter_.emit_to(after, Store{update.address, combined(build, update, before, type)}, source);
  emitter_.assign(update.before, before, source);
}

void ThreadEmitter::skip(StepRef at) {
  emitter_.stands_for(emitter_.emit(Skip{}, edge(at).source), origin(at));
}

void ThreadEmitter::enter(StepRef at) {
  const CodeStep& known = step(at);
  const auto& call = std::get<Call>(edge(at).statement);
  const Function& callee = program_.function(known.called);
  skip(at);
  for (std::size_t i = 0; i < callee.parameters.size(); ++i) {
    const RegId to = emitter_.rename(at.thread, known.callee, callee.parameters[i]);
    const ExprId value = renamed(at, call.args[i]);
    emitter_.assign(to, emitter_.build().cast(program_.reg(callee.parameters[i]).type, value),
                    edge(at).source);
  }
}

void ThreadEmitter::pass_argument(StepRef at, const Spawn& spawn, ThreadIndex thread) {
  const Function& routine = program_.function(threads_[thread].frames[0].function);
  if (routine.parameters.empty()) return;
  const RegId parameter = routine.parameters[0];
  emitter_.assign(emitter_.rename(thread, 0, parameter),
                  emitter_.build().cast(program_.reg(parameter).type, renamed(at, spawn.argument)),
                  edge(at).source);
}

void ThreadEmitter::leave(StepRef at) {
  const auto& returned = std::get<Return>(edge(at).statement);
  const CodeFrame& left = threads_[at.thread].frames[frame(at)];
  const auto& call = std::get<Call>(program_.edge(left.call).statement);
  if (!call.result) return skip(at);
  const RegId to = emitter_.rename(at.thread, *left.caller, *call.result);
  const TypeId type = program_.reg(*call.result).type;
  ExprId value = emitter_.build().constant(type, 0);
  if (returned.value) value = emitter_.build().cast(type, renamed(at, *returned.value));
  emitter_.stands_for(emitter_.emit(Assign{to, value}, edge(at).source), origin(at));
}

void ThreadEmitter::branch(ThreadIndex thread, const CodePoint& from,
                           const std::function<LocId(PointIndex)>& target) {
  const LocId start = emitter_.here();
  for (const StepIndex id : from.out) {
    const StepRef arm{thread, id};
    emitter_.go_on_at(start);
    const Edge& known = edge(arm);
    const EdgeId made = emitter_.emit_to(
        target(step(arm).to), emitter_.rename(thread, from.frame, known.statement), known.source);
    emitter_.stands_for(made, origin(arm));
  }
}

std::vector<ThreadEmitter::Candidate> ThreadEmitter::choose_function(
    StepRef at, ExprId address, const std::vector<FunId>& functions) {
  const Expr known = program_.expr(address);
  std::vector<Candidate> result;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    if (known.op == Op::function_address) {
      if (known.payload != functions[i].value) continue;
      result.push_back({emitter_.here(), i});
      emitter_.go_on_at(emitter_.fresh());
      return result;
    }
    const ExprId function =
        emitter_.build().cast(known.type, emitter_.build().function_address(functions[i]));
    const LocId there = emitter_.fresh();
    emitter_.branch(emitter_.build().binary(Op::eq, renamed(at, address), function), there,
                    edge(at).source);
    result.push_back({there, i});
  }
  emitter_.emit(Unsupported{"undefined: call of an address that is no function"}, edge(at).source);
  return result;
}

}  // namespace heddle::sequentialize
