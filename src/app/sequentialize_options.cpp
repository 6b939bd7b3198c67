#include "app/sequentialize_options.hpp"

namespace heddle::app {

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
                  "threads that a statement in a loop may start (default 3)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      .add_option("--recursion", raw.recursion,
                  "how often a function may call itself before it returns (default 3)")
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

sequentialize::LazyOptions lazy_options(const RawSequentialize& raw) {
  using namespace sequentialize;
  LazyOptions options;
  if (raw.scheduler == "statements") options.scheduler = Scheduler::statements;
  if (raw.scheduler == "next-thread") options.scheduler = Scheduler::next_thread;
  if (raw.pc == "array") options.pc = PcForm::array;
  options.rounds = raw.rounds;
  if (raw.threads) options.limits.threads_a_spawn = *raw.threads;
  if (raw.recursion) options.limits.recursion = *raw.recursion;
  if (raw.no_local) options.join_local = Switch::off;
  if (raw.no_conflicts) options.conflicts = Switch::off;
  if (raw.no_justified) options.justified = Switch::off;
  if (raw.markers) options.markers = Switch::on;
  return options;
}

}  // namespace heddle::app
