#include "sequentialize/thread_emitter.hpp"

#include "base/check.hpp"

namespace heddle::sequentialize {

using namespace ir;

void ThreadEmitter::copy(StepRef at) {
  const Edge& known = edge(at);
  const EdgeId made =
      emitter_.emit(emitter_.rename(at.thread, frame(at), known.statement), known.source);
  emitter_.stands_for(made, origin(at));
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
