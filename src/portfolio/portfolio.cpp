#include "portfolio/portfolio.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/check.hpp"
#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "passes/insert_checks.hpp"
#include "passes/pipeline.hpp"
#include "portfolio/stuck.hpp"

namespace heddle::portfolio {
namespace {

// Replays the trace. Threads that wait for ever while others run on are no matter of one state, so
// for these everything that can still happen is looked at as well.
void audit(Answer& answer, const verdict::Property& property) {
  const auto& unsafe = std::get<verdict::Unsafe>(answer.verdict);
  check::ReplayResult replayed =
      check::replay(answer.program, property, unsafe.trace, unsafe.violation);
  const bool was_run = replayed.trace.steps.size() == unsafe.trace.steps.size();
  answer.trace = std::move(replayed.trace);
  if (replayed.confirmed) return;
  CHECK(unsafe.violation.check == verdict::Check::deadlock && was_run,
        "a trace of an engine replays, but: " + replayed.reason);
  switch (never_move_again(answer.program, property, unsafe, answer.trace)) {
    case Stuck::confirmed:
      return;
    case Stuck::refuted:
      CHECK(false, "threads that an engine calls stuck never move again");
      return;
    case Stuck::undecided:
      answer.verdict = verdict::Unknown{
          verdict::Gap::bound,
          "a thread seems to wait for ever while others run on, which is too much to confirm",
          answer.program.edge(unsafe.violation.edge).source,
          {answer.explore.states, answer.explore.steps, answer.explore.depth}};
  }
}

verdict::Verdict run(engine::Engine& engine, const ir::Program& program,
                     const verdict::Property& property, const base::Budget& budget,
                     engine::Listener& listener) {
  try {
    return engine.run(program, property, budget, listener);
  } catch (const std::bad_alloc&) {
    return verdict::Unknown{verdict::Gap::memory, "the system gave no more memory", {}, {}};
  }
}

}  // namespace

ir::Program prepare(ir::Program program, const verdict::Property& property) {
  if (property.has(verdict::Check::overflow))
    program = passes::insert_overflow_checks(std::move(program));
  return passes::simplify(std::move(program));
}

namespace {

// How much a reason not to know tells the user: the end of our means says least.
int weight(const verdict::Unknown& unknown) {
  switch (unknown.gap) {
    case verdict::Gap::unsupported:
    case verdict::Gap::technique:
    case verdict::Gap::undefined:
      return 2;
    case verdict::Gap::bound:
      return 1;
    case verdict::Gap::time:
    case verdict::Gap::memory:
      break;
  }
  return 0;
}

class Turns {
 public:
  Turns(Answer& answer, const verdict::Property& property, engine::Listener& listener)
      : answer_(answer), property_(property), listener_(listener) {}

  // Whether that settles it. Of several engines that do not know, the best reason is kept.
  bool ask(engine::Engine& engine, const base::Budget& budget) {
    verdict::Verdict verdict = run(engine, answer_.program, property_, budget, listener_);
    auto* unknown = std::get_if<verdict::Unknown>(&verdict);
    const auto* before = std::get_if<verdict::Unknown>(&answer_.verdict);
    const bool keep = asked_ && unknown != nullptr && weight(*before) > weight(*unknown);
    asked_ = true;
    out_of_means_ = unknown != nullptr && weight(*unknown) == 0;
    if (unknown != nullptr) note(unknown->reached);
    if (keep) {
      std::get<verdict::Unknown>(answer_.verdict).reached = reached_;
      return false;
    }
    answer_.engine = engine.name();
    answer_.verdict = std::move(verdict);
    return !std::holds_alternative<verdict::Unknown>(answer_.verdict);
  }
  // What all engines have seen together.
  void note(verdict::Progress& progress) {
    progress.states = std::max(progress.states, reached_.states);
    progress.steps = std::max(progress.steps, reached_.steps);
    progress.depth = std::max(progress.depth, reached_.depth);
    progress.bound = std::max(progress.bound, reached_.bound);
    progress.executions = std::max(progress.executions, reached_.executions);
    if (!progress.share) progress.share = reached_.share;
    reached_ = progress;
  }
  bool out_of_means() const { return out_of_means_; }  // the last one had too little time or memory

 private:
  Answer& answer_;
  const verdict::Property& property_;
  engine::Listener& listener_;
  verdict::Progress reached_{};
  bool asked_ = false, out_of_means_ = false;
};

// Beside engines that prove, one that is there for errors: what it finds is replayed, and what
// keeps it from more is no news to the user.
class ErrorsOnly : public engine::Engine {
 public:
  explicit ErrorsOnly(engine::Engine& inner) : inner_(inner) {}
  std::string_view name() const override { return inner_.name(); }
  verdict::Verdict run(const ir::Program& program, const verdict::Property& property,
                       const base::Budget& budget, engine::Listener& listener) override {
    verdict::Verdict found = inner_.run(program, property, budget, listener);
    if (std::holds_alternative<verdict::Unsafe>(found)) return found;
    return verdict::Unknown{verdict::Gap::time, "the time was up", {}, {}};
  }

 private:
  engine::Engine& inner_;
};

struct Engines {
  engine::Engine& explore;
  engine::Engine& bmc;
  engine::Engine& errors;
};

// Explicit states settle small programs at once, and the solver nearly all that it settles soon
// after; so if both had too little time, states get most of it. Before that, a guess of what is
// written finds errors behind loops that are too long for both.
void take_turns(const Engines& engines, const verdict::Property& property, Turns& turns,
                const base::Budget& budget) {
  using std::chrono::minutes;
  if (turns.ask(engines.explore, budget.share(7, 30).at_most(minutes(1)))) return;
  const bool more_would_help = turns.out_of_means();
  if (turns.ask(engines.bmc, more_would_help ? budget.share(30, 100).at_most(minutes(10)) : budget))
    return;
  if (!more_would_help) return;
  if (!sequential_part(property).checks.empty() &&
      turns.ask(engines.errors, budget.share(28, 50).at_most(minutes(2))))
    return;
  turns.ask(engines.explore, budget);
}

// Beside other engines, the variant that finds errors.
sequentialize::MuOptions mu_options(const Options& options) {
  sequentialize::MuOptions result = options.mu;
  if (options.engine == Choice::portfolio && result.variant == sequentialize::MuVariant::in_turn)
    result.variant = sequentialize::MuVariant::inter_thread;
  return result;
}

}  // namespace

Answer solve(ir::Program program, const verdict::Property& property, const base::Budget& budget,
             const Options& options, engine::Listener& listener) {
  Answer answer;
  answer.program = prepare(std::move(program), property);
  engine::explore::Explore explore(options.explore);
  engine::bmc::Bmc bmc(options.bmc);
  Lazy lazy(options.lazy, options.bmc, options.lazy_checkers);
  Invariants invariants(options.lazy, options.sequential);
  Mu mu(mu_options(options), options.bmc, options.lazy_checkers.explorer);
  ErrorsOnly errors(mu);
  Turns turns(answer, property, listener);
  switch (options.engine) {
    case Choice::explore:
      turns.ask(explore, budget);
      break;
    case Choice::bmc:
      turns.ask(bmc, budget);
      break;
    case Choice::lazy:
      turns.ask(lazy, budget);
      break;
    case Choice::sequential:
      turns.ask(invariants, budget);
      break;
    case Choice::mu:
      turns.ask(mu, budget);
      break;
    case Choice::portfolio:
      take_turns({explore, bmc, errors}, property, turns, budget);
      break;
  }
  answer.explore = explore.statistics();
  answer.bmc = options.engine == Choice::lazy ? lazy.bmc_statistics()
               : options.engine == Choice::mu ? mu.bmc_statistics()
                                              : bmc.statistics();
  answer.sequentialized = options.engine == Choice::mu ? mu.statistics() : lazy.statistics();
  answer.sequential = invariants.statistics();
  if (std::holds_alternative<verdict::Unsafe>(answer.verdict)) audit(answer, property);
  return answer;
}

}  // namespace heddle::portfolio
