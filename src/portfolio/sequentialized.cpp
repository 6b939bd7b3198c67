#include "portfolio/sequentialized.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "machine/shorten.hpp"
#include "portfolio/backend.hpp"
#include "portfolio/interleaving.hpp"
#include "portfolio/sequential_text.hpp"
#include "portfolio/unwound.hpp"
#include "sequentialize/lazy.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::portfolio {
namespace {

using verdict::Check;
using verdict::Gap;
using verdict::Unknown;

// The execution of the input, if there is one.
std::optional<verdict::Unsafe> replayed(const ir::Program& program,
                                        const verdict::Property& property,
                                        const sequentialize::Sequential& sequential,
                                        const verdict::Unsafe& found, std::string& why) {
  std::optional<verdict::Unsafe> result = sequential.positions.empty()
                                              ? to_interleaving(sequential, found)
                                              : order_by_position(program, sequential, found);
  if (!result) {
    why = "the sequentialization itself is broken: " + found.violation.text;
    return std::nullopt;
  }
  const check::ReplayResult replay =
      check::replay(program, property, result->trace, result->violation);
  why = replay.reason;
  if (!replay.confirmed) return std::nullopt;
  return result;
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
  if (backend_.empty()) return search(program, property, budget, listener);
  BackendAnswer answer;
  try {
    answer = ask_backend(backend_, sequential_c(program, property, options_), program.data_model(),
                         budget.share(80, 100));
  } catch (const sequentialize::Rejected& rejected) {
    return Unknown{Gap::unsupported, rejected.what(), {}, {}};
  }
  const std::string name = backend_name(backend_);
  if (answer.says == BackendSays::violated) {
    verdict::Verdict ours = search(program, property, budget, listener);
    if (auto* unknown = std::get_if<Unknown>(&ours))
      unknown->detail =
          name + " reports a violation, but we found none to show: " + unknown->detail;
    return ours;
  }
  if (answer.says == BackendSays::correct)
    return Unknown{Gap::unsupported,
                   name +
                       " reports no violation, within its bounds and those of the "
                       "sequentialization; a claim that cannot be checked is no verdict",
                   {},
                   {}};
  return Unknown{Gap::unsupported,
                 name + " gave no verdict; its last words were: " + answer.last_line,
                 {},
                 {}};
}

sequentialize::Sequential Lazy::make(const ir::Program& program, const sequentialize::Facts& facts,
                                     std::uint32_t bound, std::uint32_t) const {
  sequentialize::LazyOptions options = options_;
  if (!options.rounds) options.rounds = bound;
  options.limits.threads_a_spawn = bound + 1;
  return sequentialize::sequentialize_lazily(program, facts, options);
}

sequentialize::Sequential Mu::make(const ir::Program& program, const sequentialize::Facts& facts,
                                   std::uint32_t bound, std::uint32_t turn) const {
  using sequentialize::MuVariant;
  sequentialize::MuOptions options = options_;
  if (options.variant == MuVariant::in_turn)
    options.variant = turn == 0 ? MuVariant::inter_thread : MuVariant::explicit_reads;
  const bool coarse =
      options.variant == MuVariant::intra_thread || options.variant == MuVariant::inter_thread;
  options.positions = coarse ? 2 + bound : 8 * bound;
  options.threads = 4 + 2 * bound;
  options.rounds = 3 * bound;
  options.found_cells = 4 + 2 * bound;
  return sequentialize::sequentialize_by_unwinding(program, facts, options);
}

verdict::Verdict Sequentialized::search(const ir::Program& program,
                                        const verdict::Property& property,
                                        const base::Budget& budget, engine::Listener& listener) {
  statistics_ = {};
  bmc_statistics_ = {};
  const sequentialize::Facts facts(program);
  Search search{program, property, facts, budget, listener, {Gap::bound, "", {}, {}}};
  std::vector<Queue> queues(turns());
  for (std::uint32_t turn = 0; turn < turns(); ++turn)
    queues[turn] = {turn, {bmc_.bounds.begin(), bmc_.bounds.end()}, {}, part_of_time(), 0};
  while (Queue* queue = next_of(queues)) {
    if (budget.out_of_time()) return search.out_of_time();
    const std::uint32_t bound = queue->bounds.front();
    queue->bounds.pop_front();
    const base::Budget part = budget.share(queue->percent, 100);
    std::optional<verdict::Verdict> answer = try_one(search, {bound, queue->turn}, part);
    if (answer) return std::move(*answer);
    queue->seconds += part.elapsed_seconds();
    if (search.gap.gap == Gap::time) try_again(*queue, bound);
  }
  return budget.out_of_time() ? search.out_of_time() : search.gap;
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
  sequentialize::Sequential sequential;
  try {
    sequential = make(search.program, search.facts, attempt.bound, attempt.turn);
  } catch (const sequentialize::Rejected& rejected) {
    return Unknown{Gap::unsupported, rejected.what(), {}, search.gap.reached};
  }
  ++statistics_.programs;
  statistics_.last = sequential.counters;
  const verdict::Property asked = sequential_part(search.property);
  engine::bmc::Options limits = bmc_;
  limits.bounds = {attempt.bound};
  // A thread that wakes up again and again on its own is decided by constants too.
  limits.free_iterations = 10 + 10 * attempt.bound;
  // There are no events for each element, as there would be for memory that threads share.
  limits.most_elements = 2000;
  limits.shorten = engine::bmc::Switch::off;
  engine::bmc::Bmc bmc(limits);
  verdict::Verdict verdict = bmc.run(sequential.program, asked, budget, search.listener);
  bmc_statistics_ = bmc.statistics();
  if (const auto* unsafe = std::get_if<verdict::Unsafe>(&verdict))
    return show(search, sequential, *unsafe);
  if (std::holds_alternative<verdict::Safe>(verdict)) {
    if (statistics_.unreplayed > 0) return search.gap;
    if (asked.checks == search.property.checks) return verdict;
    return Unknown{Gap::unsupported,
                   "no assertion can fail; deadlocks, races and memory are not what a "
                   "sequentialized program can be asked about",
                   {},
                   search.gap.reached};
  }
  const verdict::Progress reached = search.gap.reached;
  search.gap = std::get<Unknown>(verdict);
  const bool cleared = search.gap.reached.bound > 0;
  search.gap.reached = reached;
  if (cleared) search.gap.reached.bound = attempt.bound;
  if (goes_on_after(search.gap.gap)) return std::nullopt;
  return search.gap;
}

// The execution of the input, if it is one.
std::optional<verdict::Verdict> Sequentialized::show(Search& search,
                                                     const sequentialize::Sequential& sequential,
                                                     const verdict::Unsafe& unsafe) {
  std::string why;
  if (auto result = replayed(search.program, search.property, sequential, unsafe, why)) {
    if (bmc_.shorten == engine::bmc::Switch::off) return std::move(*result);
    const machine::Machine machine(search.program, search.property);
    return machine::shorten(std::move(*result), machine, search.property,
                            search.budget.at_most(std::chrono::seconds(2)));
  }
  ++statistics_.unreplayed;
  statistics_.why_unreplayed = why;
  search.gap = {Gap::bound,
                "an execution that seems to break the property does not replay: " + why,
                {},
                search.gap.reached};
  return std::nullopt;
}

verdict::Unknown Sequentialized::Search::out_of_time() const {
  return {Gap::time, "the time was up", {}, gap.reached};
}

}  // namespace heddle::portfolio
