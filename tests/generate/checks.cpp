// All that must hold of one program.
#include "generate/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "base/hash.hpp"
#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "frontend/frontend.hpp"
#include "generate/isolated.hpp"
#include "generate/waiting.hpp"
#include "ir/c_printer.hpp"
#include "ir/program.hpp"
#include "machine/oracle.hpp"
#include "passes/dead_code.hpp"
#include "passes/pipeline.hpp"
#include "portfolio/invariants.hpp"
#include "portfolio/sequentialized.hpp"
#include "portfolio/stuck.hpp"
#include "sequentialize/lazy.hpp"
#include "verdict/verdict.hpp"

namespace heddle::generate {
namespace {

using verdict::Check;

std::set<Check> checks_of(Question question) {
  switch (question) {
    case Question::error:
      return {Check::error_call, Check::assertion};
    case Question::race:
      return {Check::race};
    case Question::deadlock:
      return {Check::deadlock};
  }
  return {};
}

engine::explore::Options unreduced() {
  return {.local_steps = engine::explore::LocalSteps::off,
          .persistent_steps = engine::explore::PersistentSteps::off,
          .movers = engine::explore::Movers::off,
          .symmetry = engine::explore::Symmetric::off};
}

// Each switch is a bit of the mixed seed. Nearly all others rest on local steps.
engine::explore::Options some_reductions(std::uint64_t seed) {
  const std::uint64_t bits = base::mix(seed + 1);
  engine::explore::Options options;
  if ((bits & 7) == 0) options.local_steps = engine::explore::LocalSteps::off;
  if ((bits & 8) == 0) options.persistent_steps = engine::explore::PersistentSteps::off;
  if ((bits & 16) == 0) options.movers = engine::explore::Movers::off;
  if ((bits >> 16 & 1) == 0) options.symmetry = engine::explore::Symmetric::off;
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

// A fault ends the check of a program.
struct Fault {
  std::string kind;
  std::string detail;
};

class Silent : public engine::Listener {
  void progress(const verdict::Progress&) override {}
};

struct OracleAnswers {
  std::array<Answer, questions.size()> answers{};
  std::uint64_t states = 0;
  bool over_limit = false;
};

class Judge {
 public:
  Judge(std::set<Comparison> wanted, const Limits& limits)
      : wanted_(std::move(wanted)), limits_(limits) {}

  Outcome run(const std::string& text) {
    Outcome outcome;
    try {
      compare(text, outcome);
    } catch (const Fault& fault) {
      outcome.fault = fault.kind;
      outcome.detail = fault.detail;
    } catch (const frontend::InputError& error) {
      outcome.fault = stage_ + ": refused, " + reason(error.what());
      outcome.detail = error.what();
    } catch (const std::exception& error) {  // a broken CHECK, or worse
      outcome.fault = stage_ + ": " + reason(error.what());
      outcome.detail = error.what();
    }
    return outcome;
  }

 private:
  // Without the numbers and names that change while the program shrinks.
  static std::string reason(const std::string& message) {
    if (const std::size_t start = message.find("CHECK("); start != std::string::npos) {
      return message.substr(start, message.find(") failed") - start);
    }
    const std::size_t start = message.find("error: ");
    const std::string text = start == std::string::npos ? message : message.substr(start + 7);
    return text.substr(0, text.find_first_of("'\"\n0123456789"));
  }

  void compare(const std::string& text, Outcome& outcome) {
    stage_ = "front end";
    const ir::Program program = frontend::parse_text("program.c", text);
    stage_ = "simplify";
    const ir::Program simplified = passes::simplify(program);
    stage_ = "oracle";
    OracleAnswers expected = ask(simplified);
    look_for_endless_waits(text, simplified, expected);
    outcome.states = expected.states;
    outcome.over_limit = expected.over_limit;
    outcome.answers = expected.answers;
    if (expected.over_limit) return;
    if (wants(Comparison::reduced)) {
      explore("explore, reduced", simplified, {}, expected);
    }
    if (wants(Comparison::unreduced)) {
      explore("explore, unreduced", simplified, unreduced(), expected);
    }
    if (wants(Comparison::subset)) {
      explore("explore, some reductions", simplified, some_reductions(limits_.seed), expected);
    }
    if (wants(Comparison::unsimplified)) {
      explore("explore, not folded", passes::remove_dead_code(program), {}, expected);
      may_be_unknown_ = true;  // of inputs that nothing reads there may be too many to try
      explore("explore, unsimplified", program, {}, expected);
      may_be_unknown_ = false;
    }
    using engine::explore::DomainKind;
    if (wants(Comparison::value))
      abstract("explore over values", simplified, DomainKind::value, expected);
    if (wants(Comparison::interval))
      abstract("explore over intervals", simplified, DomainKind::interval, expected);
    if (wants(Comparison::bdd))
      abstract("explore over BDDs", simplified, DomainKind::bdd, expected);
    if (wants(Comparison::product))
      abstract("explore over a product", simplified, DomainKind::product, expected);
    if (wants(Comparison::symbolic))
      abstract("explore over terms", simplified, DomainKind::symbolic, expected);
    if (wants(Comparison::bmc)) unroll("bmc", simplified, {}, expected);
    if (wants(Comparison::bmc_clocks)) {
      unroll("bmc, clocks", simplified, {.encoding = engine::bmc::Encoding::clocks}, expected);
    }
    if (wants(Comparison::bmc_plain)) {
      using engine::bmc::Switch;
      unroll("bmc, not reduced", simplified,
             {.drop_spinning = Switch::off,
              .drop_wake_ups = Switch::off,
              .prune_sources = Switch::off,
              .narrow_reads = Switch::off,
              .local_memory = Switch::off},
             expected);
    }
    if (wants(Comparison::mu)) unwind(simplified, expected);
    run_executions(simplified, expected);
    if (wants(Comparison::invariants)) {
      stage_ = "invariants";
      portfolio::Invariants engine({}, {});
      consult(engine, std::chrono::seconds(5), simplified, expected);
    }
    sequentialize(simplified, expected);
    outcome.asked = std::move(asked_);
    outcome.open = std::move(open_);
    if (wants(Comparison::printed)) {
      reread("printed", program, expected);
      reread("printed after simplify", simplified, expected);
    }
  }

  bool wants(Comparison comparison) {
    comparison_ = comparison;
    return wanted_.contains(comparison);
  }

  // Only beside a loop that waits for others can a thread wait for ever without a state that shows
  // it. The generator writes such loops with an empty body.
  void look_for_endless_waits(const std::string& text, const ir::Program& program,
                              OracleAnswers& answers) {
    Answer& deadlock = answers.answers[static_cast<std::size_t>(Question::deadlock)];
    const bool spins = text.find(") ;\n") != std::string::npos;
    if (!spins || deadlock != Answer::safe || answers.over_limit) return;
    stage_ = "endless waits";
    switch (generate::look_for_endless_waits(program, limits_.oracle_states)) {
      case Waiting::none:
        return;
      case Waiting::endless:
        deadlock = Answer::unsafe;
        return;
      case Waiting::undecided:
        throw Fault{"endless waits: undecided", "although the oracle has seen every state"};
    }
  }

  void reread(const std::string& stage, const ir::Program& program, const OracleAnswers& expected) {
    stage_ = stage;
    const std::string text = ir::to_c(program);
    const ir::Program again = passes::simplify(frontend::parse_text("printed.c", text));
    explore(stage, again, {}, expected);
  }

  void expect_replay(const ir::Program& program, const verdict::Property& property,
                     const verdict::Unsafe& unsafe) {
    check::ReplayResult result = check::replay(program, property, unsafe.trace, unsafe.violation);
    if (result.confirmed) return;
    // That a thread never goes on is said about all that follows the trace, not about its end.
    const bool is_wait = unsafe.violation.check == Check::deadlock &&
                         result.trace.steps.size() == unsafe.trace.steps.size();
    if (is_wait && portfolio::never_move_again(program, property, unsafe, result.trace) ==
                       portfolio::Stuck::confirmed) {
      return;
    }
    throw Fault{
        fmt::format("{}: {} does not replay", stage_, verdict::to_string(unsafe.violation.check)),
        result.reason + ": " + unsafe.violation.text};
  }

  OracleAnswers ask(const ir::Program& program) {
    verdict::Property property;
    for (const Question question : questions) property.checks.merge(checks_of(question));
    machine::OracleOptions options;
    options.most_states = limits_.oracle_states;
    const machine::OracleAnswer found = machine::ask_oracle(program, property, options);
    for (const auto& [check, unsafe] : found.violated) expect_replay(program, property, unsafe);
    OracleAnswers result;
    result.states = found.states;
    result.over_limit = found.states >= limits_.oracle_states;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      const std::set<Check> checks = checks_of(questions[i]);
      const bool violated =
          std::ranges::any_of(checks, [&](Check check) { return found.violated.contains(check); });
      result.answers[i] = violated         ? Answer::unsafe
                          : found.complete ? Answer::safe
                                           : Answer::unknown;
    }
    return result;
  }

  void explore(const std::string& stage, const ir::Program& program,
               const engine::explore::Options& options, const OracleAnswers& expected) {
    explore(stage, program, options, base::Budget(), expected);
  }

  void explore(const std::string& stage, const ir::Program& program,
               const engine::explore::Options& options, const base::Budget& budget,
               const OracleAnswers& expected) {
    stage_ = stage;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      engine::explore::Explore explorer(options);
      Silent silent;
      const verdict::Property property{checks_of(questions[i])};
      const verdict::Verdict found = explorer.run(program, property, budget, silent);
      count(found);
      expect_same(questions[i], answer(found), expected.answers[i], describe(found));
      if (const auto* unsafe = std::get_if<verdict::Unsafe>(&found)) {
        expect_replay(program, property, *unsafe);
      }
    }
  }

  static constexpr std::chrono::milliseconds time_for_executions{1000};

  // Where a thread spins while another waits, or time is short, it may leave a question open.
  void run_executions(const ir::Program& program, const OracleAnswers& expected) {
    using namespace engine::explore;
    may_be_unknown_ = true;
    const auto run = [&](const std::string& stage, Options options) {
      options.search = SearchMode::stateless;
      options.inputs = InputMode::tried;
      explore(stage, program, options, base::Budget(time_for_executions, std::uint64_t{4} << 30),
              expected);
    };
    if (wants(Comparison::stateless)) run("stateless", {});
    if (wants(Comparison::stateless_source)) {
      run("stateless, source sets", {.dpor = DporMode::source});
      run("stateless, every step", {.local_steps = LocalSteps::off});
    }
    if (wants(Comparison::stateless_all)) {
      run("stateless, all", {.dpor = DporMode::none});
      count_traces(program);
    }
    may_be_unknown_ = false;
  }

  // The reduced search runs each of the executions that differ once, and begins none in vain.
  void count_traces(const ir::Program& program) {
    using namespace engine::explore;
    stage_ = "stateless, counting";
    const verdict::Property property{checks_of(Question::error)};
    const base::Budget budget(time_for_executions, std::uint64_t{4} << 30);
    Silent silent;
    Explore all({.search = SearchMode::stateless, .dpor = DporMode::none});
    Explore reduced({.search = SearchMode::stateless, .dpor = DporMode::optimal});
    for (Explore* explorer : {&all, &reduced}) {
      const verdict::Verdict found = explorer->run(program, property, budget, silent);
      if (!std::holds_alternative<verdict::Safe>(found)) return;
    }
    const Statistics& few = reduced.statistics();
    if (all.statistics().split_searches != few.split_searches) return;
    if (few.executions == all.statistics().traces && few.blocked_executions == 0) return;
    throw Fault{stage_ + ": another number",
                fmt::format("{} executions and {} in vain where {} differ", few.executions,
                            few.blocked_executions, all.statistics().traces)};
  }

  // Switches and forms are bits of the mixed seed.
  sequentialize::LazyOptions lazy_options() const {
    using namespace heddle::sequentialize;
    const std::uint64_t bits = base::mix(limits_.seed + 2);
    LazyOptions options;
    constexpr std::array forms{Scheduler::rounds, Scheduler::statements, Scheduler::next_thread,
                               Scheduler::rounds};
    options.scheduler = forms[bits % forms.size()];
    if ((bits & 4) == 0) options.pc = PcForm::array;
    if ((bits & 24) == 0) options.join_local = Switch::off;
    if ((bits & 128) == 0) options.conflicts = Switch::off;
    if ((bits & 256) == 0) options.markers = Switch::on;
    if ((bits & 1536) == 0) options.justified = Switch::off;
    return options;
  }

  // Without a bound on rounds, only what the program is asked within its bounds on threads and
  // recursion may stay open.
  void sequentialize(const ir::Program& program, const OracleAnswers& expected) {
    if (wants(Comparison::lazy_bmc)) {
      stage_ = "lazy";
      portfolio::Lazy engine(lazy_options(), {.bounds = {1, 2, 3, 4, 6}});
      consult(engine, std::chrono::seconds(3), program, expected, Question::error);
    }
    if (!wanted_.contains(Comparison::lazy) && !wanted_.contains(Comparison::lazy_printed)) return;
    const heddle::sequentialize::Facts facts(program);
    heddle::sequentialize::LazyOptions options = lazy_options();
    if (wants(Comparison::lazy)) {
      stage_ = "lazily sequentialized";
      engine::explore::Explore explorer;
      consult(explorer, std::chrono::seconds(3),
              sequentialize_lazily(program, facts, options).program, expected, Question::error);
    }
    if (!wants(Comparison::lazy_printed)) return;
    stage_ = "lazily sequentialized, printed";
    options.emission.wording = heddle::sequentialize::Wording::plain;
    options.rounds = 3;
    const ir::Program made = sequentialize_lazily(program, facts, options).program;
    const std::string text = ir::to_c(made, {ir::CForm::sequential, {}});
    compare_text(passes::simplify(frontend::parse_text("sequential.c", text)), made, expected);
  }
  // The text cannot say that a bound was reached, so that it is safe says nothing; but both must
  // break the property, or neither, where both are decided.
  void compare_text(const ir::Program& read_again, const ir::Program& made,
                    const OracleAnswers& expected) {
    const Answer printed = unrolled(read_again), before = unrolled(made);
    const Answer oracle = expected.answers[static_cast<std::size_t>(Question::error)];
    if (printed == Answer::unsafe && oracle == Answer::safe)
      throw Fault{stage_ + ": unsafe instead of safe", ""};
    if (before == Answer::unsafe && printed == Answer::safe)
      throw Fault{stage_ + ": the text is safe, the program is not", ""};
  }
  Answer unrolled(const ir::Program& program) {
    engine::bmc::Bmc bmc({.bounds = {3}, .free_iterations = 40});
    Silent silent;
    const base::Budget budget(std::chrono::seconds(2), std::uint64_t{4} << 30);
    const verdict::Verdict found = bmc.run(program, {checks_of(Question::error)}, budget, silent);
    may_be_unknown_ = true;
    count(found);
    may_be_unknown_ = false;
    return answer(found);
  }

  // A bounded engine need not have an answer, but what it says must be right.
  void unroll(const std::string& stage, const ir::Program& program, engine::bmc::Options options,
              const OracleAnswers& expected) {
    stage_ = stage;
    options.bounds = {1, 2, 4, 6};
    engine::bmc::Bmc bmc(options);
    consult(bmc, std::chrono::seconds(3), program, expected);
  }

  // Executions that are none of the program would never be reported, but must not be found either.
  void unwind(const ir::Program& program, const OracleAnswers& expected) {
    using namespace sequentialize;
    constexpr std::array variants{MuVariant::inter_thread, MuVariant::explicit_reads,
                                  MuVariant::intra_thread, MuVariant::mixed_reads,
                                  MuVariant::implicit_reads};
    const std::uint64_t bits = base::mix(limits_.seed + 2);
    MuOptions options;
    options.variant = variants[limits_.seed % variants.size()];
    stage_ = fmt::format("mu, variant {}", static_cast<int>(options.variant));
    if ((bits & 7) == 0) options.fresh_blocks = Switch::off;
    if ((bits & 24) == 0) options.quiet_cells = Switch::off;
    engine::bmc::Options limits;
    limits.bounds = {1, 2, 3};
    portfolio::Mu mu(options, limits);
    consult(mu, std::chrono::seconds(3), program, expected, Question::error);
    if (mu.statistics().unreplayed > 0)
      throw Fault{stage_ + ": an execution that is none", mu.statistics().why_unreplayed};
  }

  // Some programs with few variables at first, some with every step interleaved, and so on.
  void abstract(const std::string& stage, const ir::Program& program,
                engine::explore::DomainKind domain, const OracleAnswers& expected) {
    using namespace engine::explore;
    stage_ = stage;
    Options options;
    options.domain = domain;
    options.refining = limits_.seed % 2 == 0 ? Refining::on : Refining::off;
    options.local_steps = limits_.seed / 2 % 4 == 0 ? LocalSteps::off : LocalSteps::on;
    options.persistent_steps =
        limits_.seed / 8 % 2 == 0 ? PersistentSteps::on : PersistentSteps::off;
    options.movers = limits_.seed / 16 % 2 == 0 ? Movers::on : Movers::off;
    options.most_steps = limits_.domain_steps;
    Explore explorer(options);
    consult(explorer, std::chrono::seconds(limits_.domain_seconds), program, expected);
  }

  void consult(engine::Engine& engine, std::chrono::seconds time, const ir::Program& program,
               const OracleAnswers& expected, std::optional<Question> only = std::nullopt) {
    may_be_unknown_ = true;
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (only && questions[i] != *only) continue;
      Silent silent;
      const verdict::Property property{checks_of(questions[i])};
      const base::Budget budget(time, std::uint64_t{4} << 30);
      const verdict::Verdict found = engine.run(program, property, budget, silent);
      count(found);
      expect_same(questions[i], answer(found), expected.answers[i], describe(found));
      if (const auto* unsafe = std::get_if<verdict::Unsafe>(&found)) {
        expect_replay(program, property, *unsafe);
      }
    }
    may_be_unknown_ = false;
  }

  void count(const verdict::Verdict& found) {
    if (!may_be_unknown_) return;
    ++asked_[comparison_];
    if (answer(found) == Answer::unknown) open_.push_back({comparison_, describe(found)});
  }

  static Answer answer(const verdict::Verdict& found) {
    if (std::holds_alternative<verdict::Safe>(found)) return Answer::safe;
    return std::holds_alternative<verdict::Unsafe>(found) ? Answer::unsafe : Answer::unknown;
  }

  static std::string describe(const verdict::Verdict& found) {
    if (const auto* unsafe = std::get_if<verdict::Unsafe>(&found)) return unsafe->violation.text;
    if (const auto* unknown = std::get_if<verdict::Unknown>(&found)) return unknown->detail;
    return {};
  }

  void expect_same(Question question, Answer found, Answer expected, const std::string& why) {
    if (found == expected || (found == Answer::unknown && may_be_unknown_)) return;
    throw Fault{fmt::format("{}: {} is {} instead of {}", stage_, to_string(question),
                            to_string(found), to_string(expected)),
                why};
  }

  std::set<Comparison> wanted_;
  Limits limits_;
  bool may_be_unknown_ = false;
  std::string stage_{};      // what is being done, for the name of a fault
  Comparison comparison_{};  // that the stage belongs to
  std::map<Comparison, unsigned> asked_{};
  std::vector<OpenQuestion> open_{};
};

}  // namespace

Outcome check_here(const std::string& text, const std::set<Comparison>& wanted,
                   const Limits& limits) {
  return Judge(wanted, limits).run(text);
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
