// Explicit-state search with ample sets of one thread for local steps (Godefroid's
// persistent sets, Holzmann and Peled's static reduction). Differs from the books:
// the order is by preemptions instead of depth, so the condition against ignoring a
// thread is "some successor is still unexpanded", which holds for every order
// (Bosnacki and Holzmann's condition for breadth-first search).
#include "engine/explore/explore.hpp"

#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "engine/explore/abstract/explore_abstract.hpp"
#include "engine/explore/inputs.hpp"
#include "engine/explore/locality.hpp"
#include "engine/explore/mover.hpp"
#include "engine/explore/search.hpp"
#include "engine/explore/sharing.hpp"
#include "engine/explore/stateless/dpor.hpp"
#include "machine/machine.hpp"
#include "machine/shorten.hpp"

namespace heddle::engine::explore {
namespace {

// How many values an input is tried with where no finite choice is exact, round by round.
constexpr std::array<std::size_t, 4> input_caps{3, 8, 24, 64};

// How often the search begins again with less of the lock discipline, until it does without.
constexpr int most_disciplines = 5;

verdict::Progress progress_of(const Statistics& statistics) {
  return {.states = statistics.states,
          .steps = statistics.steps,
          .depth = statistics.depth,
          .executions = statistics.executions,
          .share = statistics.share};
}

// Giving back millions of states takes seconds, which nobody has who has just run out of time.
void keep_until_exit(std::unique_ptr<Search> search) {
  static auto& kept = *new std::vector<std::unique_ptr<Search>>();
  kept.push_back(std::move(search));
}

}  // namespace

verdict::Verdict Explore::run(const ir::Program& program, const verdict::Property& property,
                              const base::Budget& budget, Listener& listener) {
  if (options_.search != SearchMode::automatic || options_.domain != DomainKind::concrete)
    return run_one(program, property, budget, listener);
  // Each finds what the other does not, and what executions find they mostly find soon.
  Options options = options_;
  options.search = SearchMode::stateless;
  options.inputs = InputMode::tried;
  Explore executions(options);
  verdict::Verdict verdict = executions.run_one(
      program, property, budget.share(20, 100).at_most(std::chrono::seconds(30)), listener);
  statistics_ = executions.statistics_;
  if (!std::holds_alternative<verdict::Unknown>(verdict)) return verdict;
  options.search = SearchMode::stateful;
  options.inputs = options_.inputs;
  Explore states(options);
  verdict = states.run_one(program, property, budget, listener);
  const Statistics run = std::exchange(statistics_, states.statistics_);
  statistics_.note_executions_of(run);
  if (auto* unknown = std::get_if<verdict::Unknown>(&verdict))
    unknown->reached = progress_of(statistics_);
  return verdict;
}

// With facts that the search itself finds wrong, it begins again without them.
verdict::Verdict Explore::run_one(const ir::Program& program, const verdict::Property& property,
                                  const base::Budget& budget, Listener& listener) {
  statistics_ = {};
  const machine::Machine machine(program, property);
  const Task task{program, property, machine, budget, listener};
  const passes::PointsTo points_to = passes::analyse_points_to(program);
  const StaticSharing sharing(program, points_to);
  const bool reduces =
      options_.local_steps == LocalSteps::on && options_.search != SearchMode::stateless;
  std::optional<passes::FutureAccesses> futures;
  if (reduces && options_.persistent_steps == PersistentSteps::on)
    futures.emplace(program, points_to, sharing.sharedness());
  const Locality locality(program, sharing, options_.local_steps);
  std::optional<LockDiscipline> locks;
  // What memory a process leaves behind when it ends is noticed without any lock.
  if (reduces && options_.movers == Movers::on && !property.has(verdict::Check::leak))
    locks.emplace(machine, locality);
  std::optional<SymmetryFacts> symmetry;
  if (reduces && options_.symmetry == Symmetric::on && !property.has(verdict::Check::leak)) {
    symmetry.emplace(program, points_to);
    statistics_.no_symmetry = symmetry->why_not();
    if (!symmetry->why_not().empty()) symmetry.reset();
  }
  for (int attempt = 0; attempt <= most_disciplines; ++attempt) {
    const bool relies = attempt < most_disciplines && locks && !locks->empty();
    if (std::optional<verdict::Verdict> verdict =
            search(task, {sharing, locality, points_to,
                          futures && !futures->gave_up() ? &*futures : nullptr,
                          relies ? &*locks : nullptr, symmetry ? &*symmetry : nullptr}))
      return std::move(*verdict);
    ++statistics_.misled_searches;
    if (!relies || !locks->contradicted()) break;
    locks->forget_broken();
  }
  const EverythingShared everything;
  const Locality nothing_known(program, everything, options_.local_steps);
  std::optional<verdict::Verdict> verdict =
      search(task, {everything, nothing_known, points_to, nullptr, nullptr, nullptr});
  CHECK(verdict.has_value(), "where everything counts as shared, no access contradicts that");
  return std::move(*verdict);
}

// nullopt: the facts were wrong.
std::optional<verdict::Verdict> Explore::search(const Task& task, const Facts& facts) {
  const auto& [program, property, machine, budget, listener] = task;
  if (options_.domain != DomainKind::concrete)
    return explore_abstract({program, property, budget, listener, options_},
                            {facts.sharing, facts.points_to, facts.futures, facts.locks},
                            statistics_);
  SharingAudit audit;
  std::optional<Persistence> persistence;
  if (facts.futures != nullptr) persistence.emplace(machine, facts.points_to, *facts.futures);
  const Mover mover(program, machine,
                    {facts.locality, audit, persistence ? &*persistence : nullptr, facts.locks},
                    property, options_);
  std::optional<Symmetry> symmetry;
  if (facts.symmetry != nullptr) symmetry.emplace(machine, facts.locality, *facts.symmetry);
  std::optional<DeadValues> dead_values;
  // A pointer keeps a block from being a leak, whether anybody reads it or not.
  if (options_.forgetting == Forgetting::on && !property.has(verdict::Check::leak))
    dead_values.emplace(program);
  Inputs inputs(program);
  SearchResult result;
  for (const std::size_t cap : input_caps) {
    const Parts parts{facts.locality,
                      audit,
                      mover,
                      inputs,
                      symmetry ? &*symmetry : nullptr,
                      dead_values ? &*dead_values : nullptr};
    result = options_.search == SearchMode::stateless ? search_stateless(task, parts, cap)
                                                      : search_states(task, parts, cap);
    if (result.unsafe) {
      if (options_.shortening == Shortening::off) return std::move(*result.unsafe);
      return machine::shorten(std::move(*result.unsafe), machine, property, budget);
    }
    if (mover.misled()) return std::nullopt;
    if (!result.gap)
      return verdict::Safe{
          verdict::ExhaustedSearch{statistics_.states, statistics_.steps, statistics_.executions}};
    if (!result.capped || result.gap->gap == verdict::Gap::time ||
        result.gap->gap == verdict::Gap::memory)
      break;
    if (cap == input_caps.front() && options_.inputs == InputMode::solved)
      if (std::optional<verdict::Verdict> solved = solve_inputs(task, facts)) return solved;
  }
  result.gap->reached = progress_of(statistics_);
  return std::move(*result.gap);
}

// Inputs as terms instead of some of their values; nullopt: that does not tell either.
std::optional<verdict::Verdict> Explore::solve_inputs(const Task& task, const Facts& facts) {
  Options options = options_;
  options.domain = DomainKind::symbolic;
  options.refining = Refining::off;
  const base::Budget budget = task.budget.share(50, 60);
  std::optional<verdict::Verdict> verdict =
      explore_abstract({task.program, task.property, budget, task.listener, options},
                       {facts.sharing, facts.points_to, facts.futures, facts.locks}, statistics_);
  if (verdict && std::holds_alternative<verdict::Unknown>(*verdict)) return std::nullopt;
  return verdict;
}

SearchResult Explore::search_states(const Task& task, const Parts& parts, std::size_t input_cap) {
  const auto& [program, property, machine, budget, listener] = task;
  auto search = std::make_unique<Search>(
      Search::Setting{program, property, machine, parts.mover, parts.inputs, budget, listener,
                      statistics_, options_, parts.symmetry, parts.dead_values},
      input_cap);
  SearchResult result = search->run();
  if (result.gap && result.gap->gap == verdict::Gap::time) keep_until_exit(std::move(search));
  return result;
}

SearchResult Explore::search_stateless(const Task& task, const Parts& parts,
                                       std::size_t input_cap) {
  const auto& [program, property, machine, budget, listener] = task;
  const Dpor::Setting setting{program,      property, machine,  parts.locality, parts.audit,
                              parts.inputs, budget,   listener, statistics_,    options_};
  statistics_.executions = statistics_.blocked_executions = statistics_.traces = 0;
  Dpor whole(setting, input_cap, Sections::whole);
  SearchResult result = whole.run();
  if (!whole.needs_split_sections() || result.unsafe) return result;
  ++statistics_.split_searches;
  statistics_.executions = statistics_.blocked_executions = statistics_.traces = 0;
  return Dpor(setting, input_cap, Sections::split).run();
}

}  // namespace heddle::engine::explore
