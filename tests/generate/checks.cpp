// All that must hold of one program: the comparisons of the engines, and the way in.
#include "generate/checks.hpp"

#include <fmt/format.h>

#include <array>

#include "base/hash.hpp"
#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "frontend/frontend.hpp"
#include "generate/isolated.hpp"
#include "generate/judge.hpp"
#include "ir/c_printer.hpp"
#include "passes/dead_code.hpp"
#include "passes/pipeline.hpp"

namespace heddle::generate {
namespace {

using engine::explore::Explore;

// ---- the explorer ------------------------------------------------------------------

engine::explore::Options unreduced() {
  return {.local_steps = engine::explore::LocalSteps::off,
          .persistent_steps = engine::explore::PersistentSteps::off,
          .movers = engine::explore::Movers::off,
          .symmetry = engine::explore::Symmetric::off,
          .forgetting = engine::explore::Forgetting::off};
}

// Each switch is a bit of the mixed seed. Nearly all others rest on local steps.
engine::explore::Options some_reductions(std::uint64_t seed) {
  const std::uint64_t bits = base::mix(seed + 1);
  engine::explore::Options options;
  if ((bits & 7) == 0) options.local_steps = engine::explore::LocalSteps::off;
  if ((bits & 8) == 0) options.persistent_steps = engine::explore::PersistentSteps::off;
  if ((bits & 16) == 0) options.movers = engine::explore::Movers::off;
  if ((bits >> 16 & 1) == 0) options.symmetry = engine::explore::Symmetric::off;
  if ((bits >> 17 & 3) == 0) options.forgetting = engine::explore::Forgetting::off;
  using engine::explore::Order;
  constexpr std::array orders{Order::preemptions, Order::switches, Order::threads,
                              Order::depth_first, Order::breadth_first};
  using engine::explore::ReachedKind;
  if (bits / 4096 % 8 == 0) options.reached = ReachedKind::partitioned;
  // One list is slow where there are many states.
  if (bits / 4096 % 8 == 1 && options.local_steps == engine::explore::LocalSteps::on)
    options.reached = ReachedKind::flat;
  options.orders = {orders[bits / 32 % orders.size()], orders[bits / 256 % orders.size()]};
  return options;
}

void explore(Judge& judge, const std::string& stage, const ir::Program& program,
             const engine::explore::Options& options, const base::Budget& budget,
             Unanswered unanswered) {
  judge.begin(stage);
  for (const Question question : questions) {
    Explore explorer(options);
    judge.compare(explorer, question, program, budget, unanswered);
  }
}

void explore(Judge& judge, const std::string& stage, const ir::Program& program,
             const engine::explore::Options& options) {
  explore(judge, stage, program, options, base::Budget(), Unanswered::fault);
}

void reread(Judge& judge, const std::string& stage, const ir::Program& program) {
  judge.begin(stage);
  const std::string text = ir::to_c(program);
  const ir::Program again = passes::simplify(frontend::parse_text("printed.c", text));
  explore(judge, stage, again, {});
}

void compare_explorers(Judge& judge, const ir::Program& program, const ir::Program& simplified) {
  if (judge.wants(Comparison::reduced)) explore(judge, "explore, reduced", simplified, {});
  if (judge.wants(Comparison::unreduced))
    explore(judge, "explore, unreduced", simplified, unreduced());
  if (judge.wants(Comparison::subset))
    explore(judge, "explore, some reductions", simplified, some_reductions(judge.limits().seed));
  if (judge.wants(Comparison::unsimplified)) {
    explore(judge, "explore, not folded", passes::remove_dead_code(program), {});
    // Of inputs that nothing reads there may be too many to try.
    explore(judge, "explore, unsimplified", program, {}, base::Budget(), Unanswered::counted);
  }
  if (judge.wants(Comparison::printed)) {
    reread(judge, "printed", program);
    reread(judge, "printed after simplify", simplified);
  }
}

// ---- the explorer over domains -----------------------------------------------------

// Some programs with few variables at first, some with every step interleaved, and so on.
void abstract(Judge& judge, const std::string& stage, const ir::Program& program,
              engine::explore::DomainKind domain) {
  using namespace engine::explore;
  judge.begin(stage);
  const Limits& limits = judge.limits();
  Options options;
  options.domain = domain;
  options.refining = limits.seed % 2 == 0 ? Refining::on : Refining::off;
  options.local_steps = limits.seed / 2 % 4 == 0 ? LocalSteps::off : LocalSteps::on;
  options.persistent_steps = limits.seed / 8 % 2 == 0 ? PersistentSteps::on : PersistentSteps::off;
  options.movers = limits.seed / 16 % 2 == 0 ? Movers::on : Movers::off;
  options.most_steps = limits.domain_steps;
  Explore explorer(options);
  judge.consult(explorer, std::chrono::seconds(limits.domain_seconds), program);
}

void compare_domains(Judge& judge, const ir::Program& program) {
  using engine::explore::DomainKind;
  if (judge.wants(Comparison::value))
    abstract(judge, "explore over values", program, DomainKind::value);
  if (judge.wants(Comparison::interval))
    abstract(judge, "explore over intervals", program, DomainKind::interval);
  if (judge.wants(Comparison::bdd)) abstract(judge, "explore over BDDs", program, DomainKind::bdd);
  if (judge.wants(Comparison::product))
    abstract(judge, "explore over a product", program, DomainKind::product);
  if (judge.wants(Comparison::symbolic))
    abstract(judge, "explore over terms", program, DomainKind::symbolic);
}

// ---- the explorer without a set of states ------------------------------------------

constexpr std::chrono::milliseconds time_for_executions{1000};

class Silent : public engine::Listener {
  void progress(const verdict::Progress&) override {}
};

// The reduced search runs each of the executions that differ once, and begins none in vain.
void count_traces(Judge& judge, const ir::Program& program) {
  using namespace engine::explore;
  judge.begin("stateless, counting");
  const base::Budget budget = budget_of(time_for_executions);
  Silent silent;
  Explore all({.search = SearchMode::stateless, .dpor = DporMode::none});
  Explore reduced({.search = SearchMode::stateless, .dpor = DporMode::optimal});
  for (Explore* explorer : {&all, &reduced}) {
    const verdict::Verdict found =
        explorer->run(program, property_of(Question::error), budget, silent);
    if (!std::holds_alternative<verdict::Safe>(found)) return;
  }
  const Statistics& few = reduced.statistics();
  if (all.statistics().split_searches != few.split_searches) return;
  if (few.executions == all.statistics().traces && few.blocked_executions == 0) return;
  judge.reject("another number",
               fmt::format("{} executions and {} in vain where {} differ", few.executions,
                           few.blocked_executions, all.statistics().traces));
}

// Where a thread spins while another waits, or time is short, it may leave a question open.
void compare_executions(Judge& judge, const ir::Program& program) {
  using namespace engine::explore;
  const auto run = [&](const std::string& stage, Options options) {
    options.search = SearchMode::stateless;
    options.inputs = InputMode::tried;
    explore(judge, stage, program, options, budget_of(time_for_executions), Unanswered::counted);
  };
  if (judge.wants(Comparison::stateless)) run("stateless", {});
  if (judge.wants(Comparison::stateless_source)) {
    run("stateless, source sets", {.dpor = DporMode::source});
    run("stateless, every step", {.local_steps = LocalSteps::off});
  }
  if (judge.wants(Comparison::stateless_all)) {
    run("stateless, all", {.dpor = DporMode::none});
    count_traces(judge, program);
  }
}

// ---- the bounded model checker -----------------------------------------------------

// It need not have an answer, but what it says must be right.
void unroll(Judge& judge, const std::string& stage, const ir::Program& program,
            engine::bmc::Options options) {
  judge.begin(stage);
  options.bounds = {1, 2, 4, 6};
  engine::bmc::Bmc bmc(options);
  judge.consult(bmc, std::chrono::seconds(3), program);
}

void compare_unrolled(Judge& judge, const ir::Program& program) {
  using namespace engine::bmc;
  if (judge.wants(Comparison::bmc)) unroll(judge, "bmc", program, {});
  if (judge.wants(Comparison::bmc_clocks))
    unroll(judge, "bmc, clocks", program, {.encoding = Encoding::clocks});
  if (judge.wants(Comparison::bmc_plain))
    unroll(judge, "bmc, not reduced", program,
           {.drop_spinning = Switch::off,
            .drop_wake_ups = Switch::off,
            .prune_sources = Switch::off,
            .narrow_reads = Switch::off,
            .local_memory = Switch::off});
}

// ---- all of them -------------------------------------------------------------------

void compare_all(Judge& judge, const std::string& text) {
  judge.begin("front end");
  const ir::Program program = frontend::parse_text("program.c", text);
  judge.begin("simplify");
  const ir::Program simplified = passes::simplify(program);
  judge.ask_oracle(text, simplified);
  if (judge.outcome().over_limit) return;
  compare_explorers(judge, program, simplified);
  compare_domains(judge, simplified);
  compare_unrolled(judge, simplified);
  compare_executions(judge, simplified);
  compare_sequentialized(judge, simplified);
}

// Without the numbers and names that change while the program shrinks.
std::string reason(const std::string& message) {
  if (const std::size_t start = message.find("CHECK("); start != std::string::npos) {
    return message.substr(start, message.find(") failed") - start);
  }
  const std::size_t start = message.find("error: ");
  const std::string text = start == std::string::npos ? message : message.substr(start + 7);
  return text.substr(0, text.find_first_of("'\"\n0123456789"));
}

}  // namespace

Outcome check_here(const std::string& text, const std::set<Comparison>& wanted,
                   const Limits& limits) {
  Judge judge(wanted, limits);
  Outcome& outcome = judge.outcome();
  try {
    compare_all(judge, text);
  } catch (const Fault& fault) {
    outcome.fault = fault.kind;
    outcome.detail = fault.detail;
  } catch (const frontend::InputError& error) {
    outcome.fault = judge.stage() + ": refused, " + reason(error.what());
    outcome.detail = error.what();
  } catch (const std::exception& error) {  // a broken CHECK, or worse
    outcome.fault = judge.stage() + ": " + reason(error.what());
    outcome.detail = error.what();
  }
  return outcome;
}

Outcome check(const std::string& text, const std::set<Comparison>& wanted, const Limits& limits) {
  const Isolated result =
      run_isolated([&] { return pack(check_here(text, wanted, limits)); }, limits.seconds);
  if (result.failure.empty()) return unpack(result.text);
  Outcome outcome;
  outcome.fault = "the process was lost";
  outcome.detail = result.failure;
  return outcome;
}

}  // namespace heddle::generate
