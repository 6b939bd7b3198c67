#include "portfolio/sequentialized.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "engine/explore/explore.hpp"
#include "machine/shorten.hpp"
#include "portfolio/backend.hpp"
#include "portfolio/interleaving.hpp"
#include "portfolio/sequential_text.hpp"
#include "portfolio/unwound.hpp"
#include "sequentialize/lazy.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::portfolio {
namespace {

using sequentialize::Moves;
using sequentialize::MuVariant;
using sequentialize::Switch;
using verdict::Check;
using verdict::Gap;
using verdict::Unknown;

// Of an explorer that may be looking at a program with too many states.
constexpr std::uint64_t most_steps = 20'000'000;

// Code that no execution reaches costs the explorer little.
constexpr std::uint32_t explored_recursion = 8;

// For one program, however many there are to try.
constexpr std::chrono::milliseconds least_time(400);

// Blocks, or variables of functions that may be called while threads run.
bool shares_blocks(const ir::Program& program, const sequentialize::Facts& facts) {
  const auto objects = facts.points_to.objects();
  for (passes::ObjectIndex i = 0; i < objects.size(); ++i) {
    if (objects[i].kind != passes::ObjectKind::allocation) continue;
    const auto& alloc = std::get<ir::Alloc>(program.edge(objects[i].allocation).statement);
    const bool is_variable =
        alloc.kind == ir::AllocKind::stack || alloc.kind == ir::AllocKind::frame;
    const bool is_of_main = program.function_of(objects[i].allocation) == program.main();
    if (alloc.kind != ir::AllocKind::heap && (!is_variable || is_of_main)) continue;
    if (facts.sharedness.object_may_be_shared(i)) return true;
  }
  return false;
}

}  // namespace

verdict::Property sequential_part(const verdict::Property& property) {
  verdict::Property result;
  for (const Check check : {Check::error_call, Check::assertion, Check::overflow})
    if (property.has(check)) result.checks.insert(check);
  return result;
}

// Another verifier has no trace that could be replayed and no proof that could be checked, so a
// violation sends us looking for ours, and that it finds none is only told.
verdict::Verdict Lazy::run(const ir::Program& program, const verdict::Property& property,
                           const base::Budget& budget, engine::Listener& listener) {
  if (checkers_.backend.empty()) return search(program, property, budget, listener);
  BackendAnswer answer;
  try {
    answer = ask_backend(checkers_.backend, sequential_c(program, property, options_),
                         program.data_model(), budget.share(80, 100));
  } catch (const sequentialize::Rejected& rejected) {
    return Unknown{Gap::technique, rejected.what(), {}, {}};
  }
  const std::string name = backend_name(checkers_.backend);
  if (answer.says == BackendSays::violated) {
    verdict::Verdict ours = search(program, property, budget, listener);
    if (auto* unknown = std::get_if<Unknown>(&ours))
      unknown->detail =
          name + " reports a violation, but we found none to show: " + unknown->detail;
    return ours;
  }
  if (answer.says == BackendSays::correct)
    return Unknown{Gap::technique,
                   name +
                       " reports no violation, within its bounds and those of the "
                       "sequentialization; a claim that cannot be checked is no verdict",
                   {},
                   {}};
  return Unknown{
      Gap::technique, name + " gave no verdict; its last words were: " + answer.last_line, {}, {}};
}

sequentialize::Sequential Lazy::make(Search& search, std::uint32_t bound, std::uint32_t) const {
  sequentialize::LazyOptions options = options_;
  if (!options.rounds) options.rounds = bound;
  return search.recursion.expand(options_.limits, bound, [&](const auto& limits) {
    options.limits = limits;
    options.limits.threads_a_spawn = bound + 1;
    return sequentialize::sequentialize_lazily(search.program, search.facts, options);
  });
}

// To build a program for a higher bound than the largest may take longer than all the time that
// there is; one that somebody has asked for is built all the same. Groups of writes are few by
// default where loops are long: what goes wrong there mostly needs few switches.
Mu::Mu(sequentialize::MuOptions options, engine::bmc::Options bmc, Explorer explorer)
    : Sequentialized(bmc), options_(std::move(options)) {
  const bool as_usual = bmc.bounds == engine::bmc::Options{}.bounds;
  const std::uint32_t largest = bmc.bounds.empty() ? 0 : std::max(110U, bmc.bounds.front());
  std::erase_if(bmc.bounds, [&](std::uint32_t bound) { return bound > largest; });
  const bool in_turn = options_.variant == MuVariant::in_turn;
  const MuVariant first = in_turn ? MuVariant::inter_thread : options_.variant;
  kinds_.push_back({first, {}, bmc.bounds});
  if (in_turn) kinds_.push_back({MuVariant::explicit_reads, {}, bmc.bounds});
  if (!is_coarse(first) && options_.shared_positions == Switch::on)
    kinds_.push_back({.variant = first, .bounds = bmc.bounds, .shared_positions = Switch::off});
  if (!as_usual || !is_coarse(first)) return;
  if (explorer == Explorer::first) {
    in_a_row_ = options_;
    in_a_row_->variant = first;
    in_a_row_->positions = 1;
    in_a_row_->stops = sequentialize::Stops::before_any_step;
  }
  kinds_.push_back({first, 1, {240}});
  kinds_.push_back({first, {}, {24, 60, 110}, Moves::one_by_one});
  kinds_.push_back({first, 3, {20, 60, 240}});
  kinds_.push_back({first, {}, {1, 2, 3, 4}, Moves::guessed, Switch::on});
}

// Where no block is shared, none can be allocated too late for somebody.
std::vector<std::uint32_t> Mu::bounds_of(const Search& search, std::uint32_t turn) const {
  if (kinds_[turn].later_blocks == Switch::on && !shares_blocks(search.program, search.facts))
    return {};
  return kinds_[turn].bounds;
}

sequentialize::Sequential Mu::make(Search& search, std::uint32_t bound, std::uint32_t turn) const {
  const Kind& kind = kinds_[turn];
  sequentialize::MuOptions options = options_;
  options.variant = kind.variant;
  options.positions = kind.groups.value_or(
      is_coarse(kind.variant) ? 2 + bound : std::min(8 * bound, sequentialize::most_writes));
  options.moves = kind.moves;
  if (kind.shared_positions == Switch::off) options.shared_positions = Switch::off;
  if (kind.later_blocks == Switch::on) options.later_blocks = Switch::on;
  options.threads = 4 + 2 * bound;
  options.rounds = 3 * bound - 2;
  options.found_cells = 4 + 2 * bound;
  return search.recursion.expand(options_.limits, bound, [&](const auto& limits) {
    options.limits = limits;
    return sequentialize::sequentialize_by_unwinding(search.program, search.facts, options);
  });
}

verdict::Verdict Sequentialized::search(const ir::Program& program,
                                        const verdict::Property& property,
                                        const base::Budget& budget, engine::Listener& listener) {
  statistics_ = {};
  bmc_statistics_ = {};
  const sequentialize::Facts facts(program);
  Search search{program, property, facts, budget, listener, {Gap::bound, "", {}, {}}};
  try {
    if (std::optional<verdict::Verdict> answer = explore(search)) return std::move(*answer);
    return try_all(search);
  } catch (const sequentialize::Rejected& rejected) {
    return Unknown{Gap::technique, rejected.what(), {}, search.gap.reached};
  }
}

// Where there are few states, as many rounds as it takes cost less than another round costs bmc.
std::optional<verdict::Verdict> Lazy::explore(Search& search) {
  if (checkers_.explorer == Explorer::not_asked) return std::nullopt;
  const sequentialize::Sequential sequential =
      search.recursion.expand(options_.limits, explored_recursion, [&](const auto& limits) {
        sequentialize::LazyOptions options = options_;
        options.limits = limits;
        return sequentialize::sequentialize_lazily(search.program, search.facts, options);
      });
  note(sequential);
  return ask_explorer(search, sequential, {20, most_steps});
}

// With one group there is no memory to guess: each thread runs up to where it stops, one after the
// other, and the only choice is where. That takes the explorer little time, whatever the program
// does to its memory. Some errors need few threads, and others that all of them have been started;
// what stops last is found depth first, behind any number of them.
std::optional<verdict::Verdict> Mu::explore(Search& search) {
  using engine::explore::Order;
  if (!in_a_row_) return std::nullopt;
  for (const auto& [threads, effort] :
       {std::pair{10U, Effort{3, 500'000, Order::depth_first}},
        std::pair{200U, Effort{4, 1'000'000, Order::preemptions}},
        std::pair{100'000U, Effort{3, 2'000'000, Order::depth_first}}}) {
    const sequentialize::Sequential sequential =
        search.recursion.expand(options_.limits, explored_recursion, [&](const auto& limits) {
          sequentialize::MuOptions options = *in_a_row_;
          options.threads = threads;
          options.limits = limits;
          return sequentialize::sequentialize_by_unwinding(search.program, search.facts, options);
        });
    note(sequential);
    if (auto answer = ask_explorer(search, sequential, effort)) return answer;
  }
  return std::nullopt;
}

std::optional<verdict::Verdict> Sequentialized::ask_explorer(
    Search& search, const sequentialize::Sequential& sequential, const Effort& effort) {
  engine::explore::Explore explorer({.orders = {effort.order},
                                     .shortening = engine::explore::Shortening::off,
                                     .inputs = engine::explore::InputMode::tried,
                                     .most_steps = effort.steps});
  const verdict::Verdict verdict =
      explorer.run(sequential.program, sequential_part(search.property),
                   search.budget.share(effort.percent, 100), search.listener);
  statistics_.states += explorer.statistics().states;
  return judge(search, sequential, verdict);
}

verdict::Verdict Sequentialized::try_all(Search& search) {
  std::vector<Queue> queues(turns());
  for (std::uint32_t turn = 0; turn < turns(); ++turn) {
    const std::vector<std::uint32_t> bounds = bounds_of(search, turn);
    queues[turn] = {turn, {bounds.begin(), bounds.end()}, {}, part_of_time(), 0};
  }
  while (Queue* queue = next_of(queues)) {
    if (search.budget.out_of_time()) return search.out_of_time();
    const std::uint32_t bound = queue->bounds.front();
    queue->bounds.pop_front();
    const base::Budget part = search.budget.share(queue->percent, 100, least_time);
    std::optional<verdict::Verdict> answer = try_one(search, {bound, queue->turn}, part);
    if (answer) return std::move(*answer);
    queue->seconds += part.elapsed_seconds();
    if (search.gap.gap == Gap::time) try_again(*queue, bound);
  }
  return search.budget.out_of_time() ? search.out_of_time() : search.gap;
}

// Of the bounds that take too long only the lowest few are worth more time.
void Sequentialized::try_again(Queue& queue, std::uint32_t bound) {
  queue.again.push_back(bound);
  if (queue.again.size() < 3) return;
  queue.bounds.insert(queue.bounds.begin(), queue.again.begin(), queue.again.end());
  queue.again.clear();
  queue.percent = std::min<std::uint32_t>(100, 2 * queue.percent);
}

// The one that has had the least time.
Sequentialized::Queue* Sequentialized::next_of(std::vector<Queue>& queues) {
  Queue* best = nullptr;
  for (Queue& queue : queues) {
    if (queue.bounds.empty()) {
      queue.bounds.swap(queue.again);
      queue.percent = 100;
    }
    if (!queue.bounds.empty() && (best == nullptr || queue.seconds < best->seconds)) best = &queue;
  }
  return best;
}

// None: another attempt may do better, and the search knows why this one did not.
std::optional<verdict::Verdict> Sequentialized::try_one(Search& search, const Attempt& attempt,
                                                        const base::Budget& budget) {
  const std::optional<sequentialize::Sequential> made = make_if_possible(search, attempt);
  if (!made) return std::nullopt;
  const sequentialize::Sequential& sequential = *made;
  engine::bmc::Options limits = bmc_;
  limits.bounds = {attempt.bound};
  // A thread that wakes up again and again on its own is decided by constants too.
  limits.free_iterations = 10 + 10 * attempt.bound;
  // There are no events for each element, as there would be for memory that threads share.
  limits.most_elements = 2000;
  limits.shorten = engine::bmc::Switch::off;
  // All threads may run inside a loop that starts them.
  limits.cut_large_loops = engine::bmc::Switch::off;
  engine::bmc::Bmc bmc(limits);
  const verdict::Verdict verdict =
      bmc.run(sequential.program, sequential_part(search.property), budget, search.listener);
  bmc_statistics_ = bmc.statistics();
  note(sequential);
  const auto* unknown = std::get_if<Unknown>(&verdict);
  if (unknown == nullptr) return judge(search, sequential, verdict);
  const verdict::Progress reached = search.gap.reached;
  search.gap = *unknown;
  const bool cleared = search.gap.reached.bound > 0;
  search.gap.reached = reached;
  if (cleared) search.gap.reached.bound = attempt.bound;
  if (goes_on_after(search.gap.gap)) return std::nullopt;
  return search.gap;
}

// A program that could be sequentialized within lower bounds is not to blame for a higher one.
std::optional<sequentialize::Sequential> Sequentialized::make_if_possible(
    Search& search, const Attempt& attempt) const {
  try {
    return make(search, attempt.bound, attempt.turn);
  } catch (const sequentialize::Rejected& rejected) {
    if (statistics_.programs == 0) throw;
    search.gap = {Gap::bound, rejected.what(), {}, search.gap.reached};
    return std::nullopt;
  }
}

void Sequentialized::note(const sequentialize::Sequential& sequential) {
  ++statistics_.programs;
  statistics_.last = sequential.counters;
}

// What an answer about the sequential program says about the input, if anything.
std::optional<verdict::Verdict> Sequentialized::judge(Search& search,
                                                      const sequentialize::Sequential& sequential,
                                                      const verdict::Verdict& verdict) {
  if (const auto* unsafe = std::get_if<verdict::Unsafe>(&verdict))
    return show(search, sequential, *unsafe);
  if (!std::holds_alternative<verdict::Safe>(verdict)) return std::nullopt;
  if (statistics_.unreplayed > 0) return search.gap;
  if (sequential_part(search.property).checks == search.property.checks) return verdict;
  return Unknown{Gap::technique,
                 "no assertion can fail; deadlocks, races and memory are not what a "
                 "sequentialized program can be asked about",
                 {},
                 search.gap.reached};
}

// The execution of the input, if it is one.
std::optional<verdict::Verdict> Sequentialized::show(Search& search,
                                                     const sequentialize::Sequential& sequential,
                                                     const verdict::Unsafe& unsafe) {
  if (auto result = replayed(search, sequential, unsafe)) {
    if (bmc_.shorten == engine::bmc::Switch::off) return std::move(*result);
    const machine::Machine machine(search.program, search.property);
    return machine::shorten(std::move(*result), machine, search.property,
                            search.budget.at_most(std::chrono::seconds(2)));
  }
  ++statistics_.unreplayed;
  search.gap = {Gap::bound,
                "an execution that seems to break the property does not replay: " +
                    statistics_.why_unreplayed,
                {},
                search.gap.reached};
  return std::nullopt;
}

std::optional<verdict::Unsafe> Sequentialized::interleaved(
    const Search& search, const sequentialize::Sequential& sequential,
    const verdict::Unsafe& found) {
  if (sequential.positions.empty()) return to_interleaving(sequential, found);
  std::optional<Ordered> ordered = order_by_position(search.program, sequential, found);
  if (!ordered) return std::nullopt;
  statistics_.sharing = ordered->sharing;
  return std::move(ordered->unsafe);
}

std::optional<verdict::Unsafe> Sequentialized::replayed(const Search& search,
                                                        const sequentialize::Sequential& sequential,
                                                        const verdict::Unsafe& found) {
  std::optional<verdict::Unsafe> result = interleaved(search, sequential, found);
  if (!result) {
    statistics_.why_unreplayed = "the sequentialization itself is broken: " + found.violation.text;
    return std::nullopt;
  }
  const check::ReplayResult replay =
      check::replay(search.program, search.property, result->trace, result->violation);
  if (replay.confirmed) return result;
  statistics_.why_unreplayed = replay.reason;
  return std::nullopt;
}

verdict::Unknown Sequentialized::Search::out_of_time() const {
  return {Gap::time, "the time was up", {}, gap.reached};
}

}  // namespace heddle::portfolio
