#include "portfolio/invariants.hpp"

#include <optional>
#include <utility>

#include "check/invariant.hpp"
#include "engine/sequential/sequential.hpp"
#include "ir/builder.hpp"
#include "passes/pipeline.hpp"
#include "portfolio/sequentialized.hpp"
#include "sequentialize/lazy.hpp"

namespace heddle::portfolio {
namespace {

using verdict::Gap;
using verdict::Unknown;

bool is_call_of(const ir::Program& program, const ir::Statement& statement, ir::FunId function) {
  const auto* call = std::get_if<ir::Call>(&statement);
  return call != nullptr && program.expr(call->callee).op == ir::Op::function_address &&
         program.expr(call->callee).payload == function.value;
}

// If there are no constructors before main, no parameters, and nothing in it that needs other
// functions or threads: the program that starts with main.
std::optional<ir::Program> of_one_function(const ir::Program& program) {
  const ir::FunId main = program.main();
  if (!main.valid() || !program.function(main).parameters.empty()) return std::nullopt;
  for (const ir::FunId id : {program.entry(), main})
    for (const ir::LocId at : program.function(id).locations)
      for (const ir::EdgeId edge : program.out(at)) {
        const ir::Statement& statement = program.edge(edge).statement;
        if (id == main ? std::holds_alternative<ir::Call>(statement) ||
                             std::holds_alternative<ir::Spawn>(statement) ||
                             std::holds_alternative<ir::Await>(statement) ||
                             std::holds_alternative<ir::Atomic>(statement)
                       : !is_call_of(program, statement, main) &&
                             !std::holds_alternative<ir::Exit>(statement))
          return std::nullopt;
      }
  ir::ProgramBuilder builder(program);
  builder.set_entry(main);
  return std::move(builder).finish();
}

}  // namespace

// An invariant counts once it has been confirmed bit by bit; until then nothing is known.
verdict::Verdict Invariants::prove(const ir::Program& program, const verdict::Property& property,
                                   const base::Budget& budget, engine::Listener& listener) {
  engine::sequential::Sequential engine(options_);
  verdict::Verdict verdict = engine.run(program, property, budget, listener);
  statistics_.engine = engine.statistics();
  for (const ir::LocId at : program.function(program.entry()).locations)
    statistics_.edges += program.out(at).size();
  const auto* safe = std::get_if<verdict::Safe>(&verdict);
  const auto* invariant =
      safe != nullptr ? std::get_if<verdict::InductiveInvariant>(&safe->proof) : nullptr;
  if (invariant == nullptr) return verdict;
  const check::InvariantResult checked =
      check::check_invariant(program, property, *invariant, budget);
  statistics_.questions = checked.questions;
  if (checked.confirmed) return verdict;
  return Unknown{
      checked.gap, "an invariant was found but not confirmed: " + checked.reason, {}, {}};
}

verdict::Verdict Invariants::run(const ir::Program& program, const verdict::Property& property,
                                 const base::Budget& budget, engine::Listener& listener) {
  statistics_ = {};
  statistics_.threads = 1;
  if (const std::optional<ir::Program> alone = of_one_function(program))
    return prove(*alone, property, budget, listener);
  const verdict::Property asked = sequential_part(property);
  if (asked.checks != property.checks)
    return Unknown{Gap::technique,
                   "invariants of sequentialized programs are about assertions and overflow alone",
                   {},
                   {}};
  sequentialize::LazyOptions options = lazy_;
  options.rounds.reset();
  // One thread moves at a time: fewer successors of a state than rounds have.
  options.scheduler = sequentialize::Scheduler::next_thread;
  sequentialize::Sequential sequential;
  try {
    sequential =
        sequentialize::sequentialize_lazily(program, sequentialize::Facts(program), options);
  } catch (const sequentialize::Rejected& rejected) {
    return Unknown{Gap::technique, rejected.what(), {}, {}};
  }
  statistics_.threads = sequential.counters.threads;
  verdict::Verdict verdict =
      prove(passes::simplify(std::move(sequential.program)), asked, budget, listener);
  // Places in the sequential program mean nothing to the reader of the other one.
  if (auto* unknown = std::get_if<Unknown>(&verdict)) unknown->source = {};
  return verdict;
}

}  // namespace heddle::portfolio
