#include "app/commands.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <utility>
#include <variant>

#include "app/terminal.hpp"
#include "base/budget.hpp"
#include "base/check.hpp"
#include "frontend/frontend.hpp"
#include "ir/c_printer.hpp"
#include "ir/graphviz.hpp"
#include "ir/print.hpp"
#include "portfolio/backend.hpp"
#include "portfolio/portfolio.hpp"
#include "report/text.hpp"

namespace heddle::app {
namespace {

ExitCode code_of(const verdict::Verdict& verdict) {
  struct Code {
    ExitCode operator()(const verdict::Safe&) const { return safe; }
    ExitCode operator()(const verdict::Unsafe&) const { return violation; }
    ExitCode operator()(const verdict::Unknown&) const { return unknown; }
  };
  return std::visit(Code{}, verdict);
}

void print_statistics(const portfolio::Answer& answer, const base::Budget& budget) {
  const engine::explore::Statistics& explored = answer.explore;
  if (explored.steps > 0)
    fmt::print(
        "stats: explore: {} states, {} steps of which {} without interleaving ({} on shared "
        "memory, {} of them under a lock), depth {}, {} rounds, {} begun again\n",
        explored.states, explored.steps, explored.reduced_steps, explored.persistent_steps,
        explored.protected_steps, explored.depth, explored.rounds, explored.misled_searches);
  if (explored.symmetric_states > 0)
    fmt::print("stats: symmetry: {} states known by other names of threads\n",
               explored.symmetric_states);
  if (explored.forgotten_values > 0)
    fmt::print("stats: {} values forgotten that nobody reads any more\n",
               explored.forgotten_values);
  if (!explored.no_symmetry.empty()) fmt::print("stats: symmetry: off, {}\n", explored.no_symmetry);
  if (explored.joins + explored.spurious + explored.refinements > 0)
    fmt::print("stats: explore over a domain: {} joins, {} spurious paths, {} refinements\n",
               explored.joins, explored.spurious, explored.refinements);
  if (explored.events > 0)
    fmt::print(
        "stats: stateless: {} executions and {} in vain, {} events, {} races reversed, {} events "
        "tried elsewhere, {} begun again with split sections\n",
        explored.executions, explored.blocked_executions, explored.events, explored.reversals,
        explored.trials, explored.split_searches);
  const portfolio::SequentializedStatistics& sequential = answer.sequentialized;
  if (sequential.programs > 0)
    fmt::print(
        "stats: sequentialized: {} programs, the last with {} threads, {} steps, {} places to "
        "switch and {} without ({} only while others may conflict, {} once one did), {} objects "
        "ended, {} writes share a position, {} states explored, {} not replayed\n",
        sequential.programs, sequential.last.threads, sequential.last.steps,
        sequential.last.switch_points, sequential.last.joined, sequential.last.guarded,
        sequential.last.justified, sequential.last.ended, sequential.sharing, sequential.states,
        sequential.unreplayed);
  const engine::bmc::Statistics& unrolled = answer.bmc;
  if (unrolled.rounds > 0)
    fmt::print(
        "stats: bmc: bound {}, {} executions, {} threads, {} nodes, {} events, {} sources ({} "
        "pruned), {} spins and {} wake-ups dropped, {} reads narrowed, {} local, {} terms, {} "
        "gates, {} "
        "conflicts ({} at lower bounds), {} not replayed\n",
        unrolled.bound, unrolled.rounds, unrolled.threads, unrolled.nodes, unrolled.events,
        unrolled.sources, unrolled.pruned_sources, unrolled.spins_dropped,
        unrolled.wake_ups_dropped, unrolled.reads_narrowed, unrolled.local_reads, unrolled.terms,
        unrolled.gates, unrolled.conflicts, unrolled.conflicts_below, unrolled.unreplayed);
  const engine::sequential::Statistics& proved = answer.sequential.engine;
  if (proved.explorations > 0)
    fmt::print(
        "stats: sequential: {} threads, {} edges, {} cells, {} nodes, explored {} times, {} "
        "predicates, {} clauses; {} questions to confirm it\n",
        answer.sequential.threads, answer.sequential.edges, proved.cells, proved.nodes,
        proved.explorations, proved.predicates, proved.clauses, answer.sequential.questions);
  fmt::print("stats: {:.2f} s, answered by {}\n", budget.elapsed_seconds(), answer.engine);
}

ExitCode complain(ExitCode code, const std::string& message) {
  fmt::print(stderr, "{}{}", message, message.ends_with('\n') ? "" : "\n");
  return code;
}

}  // namespace

ExitCode run_check(const CheckCommand& command) {
  const base::Budget budget =
      command.time ? base::Budget(*command.time, command.memory_bytes)
                   : base::Budget(std::chrono::hours(24 * 365), command.memory_bytes);
  ir::Program program = frontend::parse(command.input);
  ProgressLine progress(command.loudness == Loudness::quiet
                            ? ProgressLine::Show::never
                            : ProgressLine::Show::where_a_terminal_is);
  const portfolio::Answer answer =
      portfolio::solve(std::move(program), command.property, budget, command.engines, progress);
  progress.erase();
  if (command.loudness == Loudness::normal) {
    report::Style style = style_of_output();
    if (command.most_rows) style.most_rows = *command.most_rows;
    fmt::print("{}", report::text_report(answer.program, command.property, answer.verdict,
                                         answer.trace, style));
  }
  if (command.counters == Counters::shown) print_statistics(answer, budget);
  fmt::print("{}", report::verdict_line(answer.verdict));
  return code_of(answer.verdict);
}

ExitCode run_print(const PrintCommand& command) {
  const ir::Program program = frontend::parse(command.input);
  switch (command.form) {
    case ProgramForm::c:
      fmt::print("{}", ir::to_c(program));
      break;
    case ProgramForm::text:
      fmt::print("{}", ir::to_text(program));
      break;
    case ProgramForm::graph:
      fmt::print("{}", ir::to_dot(program, ir::GraphScope::user));
      break;
  }
  return safe;
}

ExitCode run_heddle(const std::vector<std::string>& arguments) {
  struct Dispatch {
    ExitCode operator()(const CheckCommand& command) const { return run_check(command); }
    ExitCode operator()(const PrintCommand& command) const { return run_print(command); }
    ExitCode operator()(const SequentializeCommand& command) const {
      return run_sequentialize(command);
    }
    ExitCode operator()(const RunCommand& command) const { return run_random(command); }
    ExitCode operator()(const ShowCommand& command) const {
      fmt::print("{}", command.text);
      return safe;
    }
  };
  try {
    return std::visit(Dispatch{}, parse_command(arguments));
  } catch (const UsageError& error) {
    return complain(bad_input, std::string("heddle: ") + error.what());
  } catch (const portfolio::BackendMissing& error) {
    return complain(bad_input, std::string("heddle: ") + error.what());
  } catch (const frontend::InputError& error) {
    return complain(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    fmt::print("unknown: out of memory\nVERDICT: unknown\n");
    return unknown;
  } catch (const std::exception& error) {
    return complain(internal_error,
                    std::string("heddle: internal error: ") + error.what() +
                        "\nThis is a bug in Heddle, not in your program. There is no verdict. "
                        "Please report it with the input and the command line.");
  }
}

}  // namespace heddle::app
