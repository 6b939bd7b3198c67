#include "portfolio/sequentialized.hpp"

#include <optional>

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
  options.found_cells = 4 + 2 * bound;
  return sequentialize::sequentialize_by_unwinding(program, facts, options);
}

verdict::Verdict Sequentialized::search(const ir::Program& program,
                                        const verdict::Property& property,
                                        const base::Budget& budget, engine::Listener& listener) {
  statistics_ = {};
  bmc_statistics_ = {};
  const verdict::Property asked = sequential_part(property);
  const sequentialize::Facts facts(program);
  Unknown gap{Gap::bound, "", {}, {}};
  for (std::size_t i = 0; i < bmc_.bounds.size() * turns(); ++i) {
    const std::uint32_t bound = bmc_.bounds[i / turns()];
    const auto turn = static_cast<std::uint32_t>(i % turns());
    if (budget.out_of_time()) return Unknown{Gap::time, "the time was up", {}, gap.reached};
    sequentialize::Sequential sequential;
    try {
      sequential = make(program, facts, bound, turn);
    } catch (const sequentialize::Rejected& rejected) {
      return Unknown{Gap::unsupported, rejected.what(), {}, gap.reached};
    }
    ++statistics_.programs;
    statistics_.last = sequential.counters;
    engine::bmc::Options limits = bmc_;
    limits.bounds = {bound};
    // A thread that wakes up again and again on its own is decided by constants too.
    limits.free_iterations = 10 + 10 * bound;
    limits.shorten = engine::bmc::Switch::off;
    engine::bmc::Bmc bmc(limits);
    // Another program may be easier, so one of several gets a part of the time that is left.
    const base::Budget part = turns() > 1 ? budget.share(33, 100) : budget;
    verdict::Verdict verdict = bmc.run(sequential.program, asked, part, listener);
    bmc_statistics_ = bmc.statistics();
    if (auto* unsafe = std::get_if<verdict::Unsafe>(&verdict)) {
      std::string why;
      if (auto result = replayed(program, property, sequential, *unsafe, why)) {
        if (bmc_.shorten == engine::bmc::Switch::off) return std::move(*result);
        const machine::Machine machine(program, property);
        return machine::shorten(std::move(*result), machine, property,
                                budget.at_most(std::chrono::seconds(2)));
      }
      ++statistics_.unreplayed;
      statistics_.why_unreplayed = why;
      gap = {Gap::bound,
             "an execution that seems to break the property does not replay: " + why,
             {},
             gap.reached};
    } else if (std::holds_alternative<verdict::Safe>(verdict)) {
      if (statistics_.unreplayed > 0) return gap;
      if (asked.checks == property.checks) return verdict;
      return Unknown{Gap::unsupported,
                     "no assertion can fail; deadlocks, races and memory are not what a "
                     "sequentialized program can be asked about",
                     {},
                     gap.reached};
    } else {
      const auto& unknown = std::get<Unknown>(verdict);
      const verdict::Progress reached = gap.reached;
      gap = unknown;
      gap.reached = reached;
      if (unknown.reached.bound > 0) gap.reached.bound = bound;
      const bool more_time = turns() > 1 && unknown.gap == Gap::time && !budget.out_of_time();
      if (unknown.gap != Gap::bound && !more_time) return gap;
    }
  }
  return gap;
}

}  // namespace heddle::portfolio
