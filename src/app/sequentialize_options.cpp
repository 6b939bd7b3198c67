#include "app/sequentialize_options.hpp"

#include <map>

namespace heddle::app {
namespace {

// What somebody has asked for does not rise with the bounds of an engine.
void limit_recursion(sequentialize::ExpansionLimits& limits, const RawSequentialize& raw) {
  if (!raw.recursion) return;
  limits.recursion = *raw.recursion;
  limits.recursion_growth = sequentialize::Growth::none;
}

}  // namespace

void add_sequentialize_options(CLI::App& command, RawSequentialize& raw) {
  command
      .add_option("--scheduler", raw.scheduler,
                  "lazy: rounds (default: threads in turn, each stops where it likes), statements\n"
                  "(each runs a number of statements guessed beforehand) or next-thread (any\n"
                  "thread, one statement)")
      ->check(CLI::IsMember({"rounds", "statements", "next-thread"}));
  command.add_option("--rounds", raw.rounds, "lazy: at most so many rounds of the scheduler")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      .add_option("--threads", raw.threads,
                  "lazy: threads that a statement in a loop may start (default 3); mu, as C:\n"
                  "threads besides main, in all (default 7)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      .add_option("--recursion", raw.recursion,
                  "how often a function may call itself before it returns (default 3, which\n"
                  "check raises by itself)")
      ->type_name("N");
  command
      .add_option("--unwind", raw.unwind,
                  "unroll every loop of the threads, so that it goes round at most so many times\n"
                  "(default: loops stay)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command.add_option("--pc", raw.pc, "lazy: program counters as scalar (default) or array")
      ->check(CLI::IsMember({"scalar", "array"}));
  command.add_flag("--no-local-joining", raw.no_local,
                   "lazy: let threads switch before every statement, even a local one");
  command.add_flag("--no-conflicts", raw.no_conflicts,
                   "lazy: let threads switch even where no other may still conflict");
  command.add_flag("--no-justified-switches", raw.no_justified,
                   "lazy: let threads stop even if nobody conflicts before they go on");
  command.add_flag("--markers", raw.markers,
                   "lazy: check the sequentialization itself; its own errors are marked so");
}

void add_mu_options(CLI::App& command, RawSequentialize& raw) {
  command
      .add_option("--mu", raw.mu,
                  "mu: what the guess holds: each write (explicit, implicit or mixed reads), or\n"
                  "groups of writes of one thread (intra) or of several (inter); default: inter\n"
                  "and explicit in turn")
      ->check(CLI::IsMember({"explicit", "implicit", "mixed", "intra", "inter"}));
  command.add_flag("--no-fresh-blocks", raw.no_fresh_blocks,
                   "mu: count writes to a block that nobody else knows of yet");
  command.add_flag("--no-main-objects", raw.no_main_objects,
                   "mu: look for what main allocates before it starts threads by its address");
  command.add_flag("--no-shared-positions", raw.no_shared_positions,
                   "mu: keep single writes of different threads apart, even those that do not\n"
                   "depend on each other");
  command.add_flag("--no-quiet-cells", raw.no_quiet_cells,
                   "mu: count accesses to memory that nobody writes, nobody reads, or one thread\n"
                   "touches");
}

sequentialize::MuOptions mu_options(const RawSequentialize& raw) {
  using namespace sequentialize;
  static const std::map<std::string, MuVariant> variants{{"explicit", MuVariant::explicit_reads},
                                                         {"implicit", MuVariant::implicit_reads},
                                                         {"mixed", MuVariant::mixed_reads},
                                                         {"intra", MuVariant::intra_thread},
                                                         {"inter", MuVariant::inter_thread}};
  MuOptions options;
  options.variant = raw.mu.empty() ? MuVariant::in_turn : variants.at(raw.mu);
  if (raw.positions) options.positions = *raw.positions;
  if (raw.threads) options.threads = *raw.threads + 1;
  limit_recursion(options.limits, raw);
  options.limits.unwind = raw.unwind;
  if (raw.no_fresh_blocks) options.fresh_blocks = Switch::off;
  if (raw.no_main_objects) options.main_objects = Switch::off;
  if (raw.no_shared_positions) options.shared_positions = Switch::off;
  if (raw.no_quiet_cells) options.quiet_cells = Switch::off;
  return options;
}

portfolio::Scheme scheme_of(const RawSequentialize& raw) {
  if (raw.scheme == "lazy") return lazy_options(raw);
  sequentialize::MuOptions options = mu_options(raw);
  if (raw.mu.empty()) options.variant = sequentialize::MuVariant::inter_thread;
  return options;
}

sequentialize::LazyOptions lazy_options(const RawSequentialize& raw) {
  using namespace sequentialize;
  LazyOptions options;
  if (raw.scheduler == "statements") options.scheduler = Scheduler::statements;
  if (raw.scheduler == "next-thread") options.scheduler = Scheduler::next_thread;
  if (raw.pc == "array") options.pc = PcForm::array;
  options.rounds = raw.rounds;
  if (raw.threads) options.limits.threads_a_spawn = *raw.threads;
  limit_recursion(options.limits, raw);
  options.limits.unwind = raw.unwind;
  if (raw.no_local) options.join_local = Switch::off;
  if (raw.no_conflicts) options.conflicts = Switch::off;
  if (raw.no_justified) options.justified = Switch::off;
  if (raw.markers) options.markers = Switch::on;
  return options;
}

}  // namespace heddle::app
