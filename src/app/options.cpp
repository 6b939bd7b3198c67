#include "app/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include "app/sequentialize_options.hpp"

namespace heddle::app {
namespace {

constexpr const char* description =
    "Verifies multithreaded C: looks at all interleavings for failing assertions, deadlocks, data\n"
    "races, memory errors and signed overflow.";

constexpr const char* footer =
    "Examples:\n"
    "  heddle check program.c\n"
    "  heddle check --check=race,deadlock --time 5m a.c b.c -- -Iinclude -DN=3\n"
    "  heddle check --property unreach-call.prp -m32 task.i\n"
    "  heddle run --seed 7 program.c\n"
    "  heddle sequentialize program.c -o sequential.c\n"
    "  heddle cfa program.c | dot -Tsvg > program.svg\n"
    "\n"
    "Exit codes: 0 safe, 1 violation, 2 unknown, 3 bad input, 4 internal error.\n"
    "All commands take -m32 or -m64, and flags for the C front end after `--`.";

// The options as CLI11 sees them: text, to be understood afterwards.
struct Raw {
  std::vector<std::string> files{};
  std::vector<std::string> checks{};
  std::string property_file{};
  std::string time{};
  std::string memory = "4G";
  std::string form = "text";
  std::string engine = "portfolio";
  std::string encoding = "theory";
  std::string domain = "concrete";
  std::string search = "auto";
  std::string dpor = "optimal";
  std::string reached = "compressed";
  std::vector<std::string> orders{};
  std::vector<std::uint32_t> bounds{};
  std::uint64_t seed = 1;
  std::uint64_t most_steps = 100'000;
  bool quiet = false, statistics = false, full_trace = false;
  bool no_local_steps = false, no_persistent_steps = false, no_movers = false, no_symmetry = false,
       no_forgetting = false, no_shortening = false, no_refinement = false, no_solving = false;
  bool no_spin = false, no_wake_ups = false, no_narrowing = false, no_pruning = false,
       no_local_memory = false;
  bool no_splitting = false, no_exploring = false;
  RawSequentialize sequentialize{};
  std::string output{}, backend{};
};

// What CLI11 cannot read: `-m32` looks to it like `-m 32`, and `--` ends the options for us alone.
struct Split {
  std::vector<std::string> options{};
  std::vector<std::string> compiler_flags{};
  ir::DataModel data_model = ir::DataModel::lp64;
};

Split split(std::vector<std::string> arguments) {
  Split result;
  const auto dashes = std::find(arguments.begin(), arguments.end(), "--");
  if (dashes != arguments.end()) result.compiler_flags.assign(dashes + 1, arguments.end());
  arguments.erase(dashes, arguments.end());
  const auto take_model = [&](const std::string& argument) {
    if (argument == "-m32") result.data_model = ir::DataModel::ilp32;
    if (argument == "-m64") result.data_model = ir::DataModel::lp64;
    return argument == "-m32" || argument == "-m64";
  };
  std::erase_if(arguments, take_model);
  std::erase_if(result.compiler_flags, take_model);
  result.options = std::move(arguments);
  return result;
}

verdict::Property property_of(const Raw& raw) {
  if (!raw.checks.empty() && !raw.property_file.empty())
    throw UsageError("give --check or --property, not both");
  if (!raw.property_file.empty()) {
    std::ifstream file(raw.property_file);
    std::stringstream text;
    if (!file || !(text << file.rdbuf()))
      throw UsageError("cannot read the property file '" + raw.property_file + "'");
    if (auto property = verdict::parse_property_file(text.str())) return *property;
    throw UsageError("'" + raw.property_file +
                     "' is not a property that Heddle knows; it should hold lines such as "
                     "CHECK( init(main()), LTL(G ! call(reach_error())) )");
  }
  if (raw.checks.empty()) return verdict::Property::standard();
  verdict::Property property;
  for (const std::string& name : raw.checks) {
    const auto group = verdict::parse_check_group(name);
    if (!group)
      throw UsageError("--check: '" + name +
                       "' is none of assert, deadlock, race, memory, overflow");
    property.checks.insert(group->begin(), group->end());
  }
  return property;
}

std::vector<engine::explore::Order> orders_of(const std::vector<std::string>& names) {
  using engine::explore::Order;
  static const std::map<std::string, Order> known{{"preemptions", Order::preemptions},
                                                  {"switches", Order::switches},
                                                  {"threads", Order::threads},
                                                  {"dfs", Order::depth_first},
                                                  {"bfs", Order::breadth_first}};
  std::vector<Order> orders;
  for (const std::string& name : names) {
    const auto at = known.find(name);
    if (at == known.end())
      throw UsageError("--order: '" + name +
                       "' is none of preemptions, switches, threads, dfs, bfs");
    orders.push_back(at->second);
  }
  return orders;
}

CheckCommand check_command(const Raw& raw, frontend::SourceInput input) {
  CheckCommand command{.input = std::move(input), .property = property_of(raw)};
  if (!raw.time.empty()) {
    command.time = parse_duration(raw.time);
    if (!command.time)
      throw UsageError("--time: '" + raw.time + "' is no duration such as 500ms, 60s, 5m or 1h");
  }
  const auto memory = parse_size(raw.memory);
  if (!memory) throw UsageError("--memory: '" + raw.memory + "' is no size such as 512M or 4G");
  command.memory_bytes = *memory;
  using namespace engine::explore;
  command.engines.explore.search = SearchMode::automatic;
  if (raw.search == "stateful") command.engines.explore.search = SearchMode::stateful;
  if (raw.search == "stateless") command.engines.explore.search = SearchMode::stateless;
  if (raw.dpor == "source") command.engines.explore.dpor = DporMode::source;
  if (raw.dpor == "none") command.engines.explore.dpor = DporMode::none;
  if (raw.no_local_steps) command.engines.explore.local_steps = LocalSteps::off;
  if (raw.no_persistent_steps) command.engines.explore.persistent_steps = PersistentSteps::off;
  if (!raw.orders.empty()) command.engines.explore.orders = orders_of(raw.orders);
  if (raw.reached == "partitioned") command.engines.explore.reached = ReachedKind::partitioned;
  if (raw.reached == "flat") command.engines.explore.reached = ReachedKind::flat;
  if (raw.no_symmetry) command.engines.explore.symmetry = Symmetric::off;
  if (raw.no_forgetting) command.engines.explore.forgetting = Forgetting::off;
  if (raw.no_movers) command.engines.explore.movers = Movers::off;
  if (raw.no_shortening) {
    command.engines.explore.shortening = Shortening::off;
    command.engines.bmc.shorten = engine::bmc::Switch::off;
  }
  if (raw.domain == "value") command.engines.explore.domain = DomainKind::value;
  if (raw.domain == "interval") command.engines.explore.domain = DomainKind::interval;
  if (raw.domain == "bdd") command.engines.explore.domain = DomainKind::bdd;
  if (raw.domain == "product") command.engines.explore.domain = DomainKind::product;
  if (raw.domain == "symbolic") command.engines.explore.domain = DomainKind::symbolic;
  if (raw.no_solving) command.engines.explore.inputs = InputMode::tried;
  if (raw.no_refinement) command.engines.explore.refining = Refining::off;
  if (raw.engine == "explore") command.engines.engine = portfolio::Choice::explore;
  command.engines.lazy = lazy_options(raw.sequentialize);
  command.engines.lazy_checkers.backend = raw.backend;
  if (raw.no_exploring) command.engines.lazy_checkers.explorer = portfolio::Explorer::not_asked;
  if (!raw.backend.empty() && raw.engine != "lazy")
    throw UsageError("--backend is asked about a sequential program; add --engine=lazy");
  if (raw.engine == "lazy") command.engines.engine = portfolio::Choice::lazy;
  if (raw.engine == "mu") command.engines.engine = portfolio::Choice::mu;
  command.engines.mu = mu_options(raw.sequentialize);
  if (raw.engine == "bmc") command.engines.engine = portfolio::Choice::bmc;
  if (raw.engine == "sequential") command.engines.engine = portfolio::Choice::sequential;
  if (raw.no_splitting)
    command.engines.sequential.split_by_values = engine::sequential::Switch::off;
  if (raw.encoding == "clocks") command.engines.bmc.encoding = engine::bmc::Encoding::clocks;
  if (!raw.bounds.empty()) command.engines.bmc.bounds = raw.bounds;
  if (raw.no_spin) command.engines.bmc.drop_spinning = engine::bmc::Switch::off;
  if (raw.no_wake_ups) command.engines.bmc.drop_wake_ups = engine::bmc::Switch::off;
  if (raw.no_narrowing) command.engines.bmc.narrow_reads = engine::bmc::Switch::off;
  if (raw.no_pruning) command.engines.bmc.prune_sources = engine::bmc::Switch::off;
  if (raw.no_local_memory) command.engines.bmc.local_memory = engine::bmc::Switch::off;
  if (raw.quiet) command.loudness = Loudness::quiet;
  if (raw.statistics) command.counters = Counters::shown;
  if (raw.full_trace) command.most_rows = std::numeric_limits<std::size_t>::max();
  return command;
}

struct Subcommands {
  CLI::App *check, *cfa, *ir, *run, *sequentialize;
};

void add_files(CLI::App& command, Raw& raw) {
  command
      .add_option("files", raw.files, "C files (.c or preprocessed .i), linked into one program")
      ->required()
      ->type_name("FILE...");
  command.footer(
      "-m32 or -m64 choose ILP32 or LP64 (the default); flags for the C front end "
      "follow `--`.");
}

void add_property(CLI::App& command, Raw& raw) {
  command
      .add_option("--check", raw.checks,
                  "what to look for: assert, deadlock, race, memory, overflow\n"
                  "(default: assert,deadlock,race)")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("LIST");
  command.add_option("--property", raw.property_file, "take the property from an SV-COMP file")
      ->type_name("FILE.prp");
}

Subcommands declare(CLI::App& app, Raw& raw) {
  app.require_subcommand(1);
  app.footer(footer);
  app.set_version_flag("--version", "heddle " HEDDLE_VERSION, "print the version");
  CLI::App* check = app.add_subcommand("check", "decide whether the program keeps a property");
  add_property(*check, raw);
  check->add_option("--time", raw.time, "give up after this time: 500ms, 60s, 5m, 1h")
      ->type_name("DURATION");
  check
      ->add_option("--memory", raw.memory, "give up beyond this much memory: 512M, 4G (default 4G)")
      ->type_name("SIZE");
  check->add_flag("-q,--quiet", raw.quiet, "print the verdict only");
  check->add_flag("--stats", raw.statistics, "print what the search has counted");
  check->add_flag("--full-trace", raw.full_trace, "print every step of a long trace");
  check
      ->add_option("--engine", raw.engine,
                   "portfolio (default: several in turn), explore (explicit states), bmc (bounded\n"
                   "unrolling and a SAT solver), lazy (a sequential program that runs the\n"
                   "threads in turn; explore and bmc on that), sequential (invariants of that\n"
                   "program) or mu (bmc on a program that runs each thread along a guess of what\n"
                   "is written to shared memory)")
      ->check(CLI::IsMember({"portfolio", "explore", "bmc", "lazy", "mu", "sequential"}));
  add_mu_options(*check, raw.sequentialize);
  check
      ->add_option(
          "--search", raw.search,
          "explore: stateful (every state is remembered), stateless (executions are run one by\n"
          "one, one for each order that matters) or auto (default: first stateless for a\n"
          "part of the time, then stateful)")
      ->check(CLI::IsMember({"auto", "stateful", "stateless"}));
  check
      ->add_option("--dpor", raw.dpor,
                   "explore, stateless: optimal (default), source (some executions are begun in\n"
                   "vain) or none (all orders)")
      ->check(CLI::IsMember({"optimal", "source", "none"}));
  check
      ->add_option("--bound", raw.bounds,
                   "bmc: how often to unroll loops, in turn (default 1,2,3,...)")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("N,...");
  check
      ->add_option("--encoding", raw.encoding,
                   "bmc: theory (default) or clocks, a slow second opinion")
      ->check(CLI::IsMember({"theory", "clocks"}));
  check->add_flag("--no-spin-dropping", raw.no_spin,
                  "bmc: keep rounds of a loop that change nothing");
  check->add_flag("--no-wake-up-dropping", raw.no_wake_ups,
                  "bmc: let waits wake up again and again without a signal");
  check->add_flag("--no-read-narrowing", raw.no_narrowing,
                  "bmc: let reads give values that nobody writes, and sort them out in the solver");
  check->add_flag("--no-source-pruning", raw.no_pruning,
                  "bmc: let reads choose among writes that they cannot see");
  check->add_flag("--no-local-memory", raw.no_local_memory,
                  "bmc: order accesses even to memory that only one thread writes");
  check->add_flag("--no-exploring", raw.no_exploring,
                  "lazy, mu: ask bmc about the sequential program at once, not the explorer first");
  check->add_flag("--no-value-splitting", raw.no_splitting,
                  "sequential: leave program counters and flags to the solver's formulas");
  check
      ->add_option("--domain", raw.domain,
                   "explore: what to keep of numbers that are not known: concrete (default: try\n"
                   "values), value (nothing), interval, bdd (relations between small numbers),\n"
                   "product (interval and bdd) or symbolic (terms and a solver)")
      ->check(CLI::IsMember({"concrete", "value", "interval", "bdd", "product", "symbolic"}));
  check->add_flag("--no-solving", raw.no_solving,
                  "explore: try values of inputs, but do not solve for them");
  check->add_flag("--no-refinement", raw.no_refinement,
                  "explore over a domain: keep all variables from the start");
  check->add_flag("--no-local-steps", raw.no_local_steps,
                  "interleave every step, even those that no other thread can notice");
  check->add_flag("--no-persistent-steps", raw.no_persistent_steps,
                  "explore: interleave every access to shared memory, even where nobody else may\n"
                  "still interfere");
  check->add_flag("--no-movers", raw.no_movers,
                  "explore: interleave accesses even under the lock that protects them");
  check->add_flag("--no-symmetry", raw.no_symmetry,
                  "explore: tell states apart that differ only in which of several alike threads\n"
                  "is which");
  check->add_flag("--no-forgetting", raw.no_forgetting,
                  "explore: tell states apart that differ only in what no thread reads any more");
  check
      ->add_option("--order", raw.orders,
                   "explore: which state comes next, by few preemptions (default), switches or\n"
                   "threads, each in turn; then the newest (dfs) or the oldest (bfs)")
      ->delimiter(',')
      ->expected(1)
      ->allow_extra_args(false)
      ->take_all()
      ->type_name("LIST");
  check
      ->add_option("--reached", raw.reached,
                   "explore: how states are kept, compressed (default), or for comparison\n"
                   "partitioned (a list for each tuple of locations) or flat (one list)")
      ->check(CLI::IsMember({"compressed", "partitioned", "flat"}));
  check->add_flag("--no-shortening", raw.no_shortening, "print the trace as it was found");
  check
      ->add_option("--backend", raw.backend,
                   "lazy: ask another verifier about the sequential program, for instance\n"
                   "'cbmc --unwind 5' (cbmc, esbmc, cpachecker and uautomizer are understood)")
      ->type_name("COMMAND");
  add_sequentialize_options(*check, raw.sequentialize);
  add_files(*check, raw);
  CLI::App* cfa = app.add_subcommand("cfa", "print each function's automaton as a Graphviz graph");
  add_files(*cfa, raw);
  CLI::App* ir = app.add_subcommand("ir", "print the intermediate representation");
  ir->add_option("--as", raw.form, "text (default) or c: a C program that does the same")
      ->check(CLI::IsMember({"text", "c"}));
  add_files(*ir, raw);
  CLI::App* run = app.add_subcommand("run", "run one random schedule and print it as it goes");
  run->add_option("--seed", raw.seed, "the same seed gives the same run (default 1)");
  run->add_option("--steps", raw.most_steps, "stop after so many steps (default 100000)");
  add_property(*run, raw);
  add_files(*run, raw);
  CLI::App* sequentialize = app.add_subcommand(
      "sequentialize", "print a sequential C program that fails where this one does");
  sequentialize
      ->add_option(
          "--scheme", raw.sequentialize.scheme,
          "lazy (default): threads run in turn, each from where it stopped; mu: each runs\n"
          "to its end, along a guess of what is written to shared memory")
      ->check(CLI::IsMember({"lazy", "mu"}));
  add_sequentialize_options(*sequentialize, raw.sequentialize);
  add_mu_options(*sequentialize, raw.sequentialize);
  sequentialize
      ->add_option(
          "--positions", raw.sequentialize.positions,
          "mu: how many writes one after the other (at most 63), or groups of writes, the\n"
          "guess holds (default 4)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  sequentialize->add_option("-o", raw.output, "write there instead of to standard output")
      ->type_name("FILE");
  add_property(*sequentialize, raw);
  add_files(*sequentialize, raw);
  return {check, cfa, ir, run, sequentialize};
}

}  // namespace

Command parse_command(std::vector<std::string> arguments) {
  Split parts = split(std::move(arguments));
  Raw raw;
  CLI::App app(description, "heddle");
  const Subcommands commands = declare(app, raw);
  try {
    std::reverse(parts.options.begin(), parts.options.end());  // as CLI11 wants a vector
    app.parse(parts.options);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    if (app.exit(error, out, err) == 0) return ShowCommand{out.str()};
    std::string message = error.what();
    throw UsageError(message + "\nRun `heddle --help` for more information.");
  }
  frontend::SourceInput input{raw.files, parts.compiler_flags, parts.data_model};
  if (commands.check->parsed()) return check_command(raw, std::move(input));
  if (commands.run->parsed())
    return RunCommand{std::move(input), property_of(raw), raw.seed, raw.most_steps};
  if (commands.sequentialize->parsed())
    return SequentializeCommand{std::move(input), property_of(raw), scheme_of(raw.sequentialize),
                                raw.output.empty() ? std::nullopt : std::optional(raw.output)};
  if (commands.cfa->parsed()) return PrintCommand{std::move(input), ProgramForm::graph};
  return PrintCommand{std::move(input), raw.form == "c" ? ProgramForm::c : ProgramForm::text};
}

}  // namespace heddle::app
