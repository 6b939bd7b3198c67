#include "portfolio/sequentialized.hpp"

#include <optional>

#include "check/replay.hpp"
#include "engine/bmc/bmc.hpp"
#include "machine/shorten.hpp"
#include "portfolio/interleaving.hpp"
#include "sequentialize/lazy.hpp"

namespace heddle::portfolio {
namespace {

using verdict::Check;
using verdict::Gap;
using verdict::Unknown;

// What a sequential program can be asked: the rest is about threads, or about memory whose
// lifetimes the schemes do not keep.
verdict::Property sequential_part(const verdict::Property& property) {
  verdict::Property result;
  for (const Check check : {Check::error_call, Check::assertion, Check::overflow})
    if (property.has(check)) result.checks.insert(check);
  return result;
}

// The execution of the input, if there is one.
std::optional<verdict::Unsafe> replayed(const ir::Program& program,
                                        const verdict::Property& property,
                                        const sequentialize::Sequential& sequential,
                                        const verdict::Unsafe& found, std::string& why) {
  std::optional<verdict::Unsafe> result = to_interleaving(sequential, found);
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

verdict::Verdict Lazy::run(const ir::Program& program, const verdict::Property& property,
                           const base::Budget& budget, engine::Listener& listener) {
  statistics_ = {};
  bmc_statistics_ = {};
  const verdict::Property asked = sequential_part(property);
  const sequentialize::Facts facts(program);
  Unknown gap{Gap::bound, "", {}, {}};
  for (const std::uint32_t bound : bmc_.bounds) {
    if (budget.out_of_time()) return Unknown{Gap::time, "the time was up", {}, gap.reached};
    sequentialize::LazyOptions options = options_;
    if (!options.rounds) options.rounds = bound;
    options.limits.threads_a_spawn = bound + 1;
    sequentialize::Sequential sequential;
    try {
      sequential = sequentialize::sequentialize_lazily(program, facts, options);
    } catch (const sequentialize::Rejected& rejected) {
      return Unknown{Gap::unsupported, rejected.what(), {}, gap.reached};
    }
    ++statistics_.programs;
    statistics_.last = sequential.counters;
    engine::bmc::Options limits = bmc_;
    limits.bounds = {bound};
    limits.shorten = engine::bmc::Switch::off;
    engine::bmc::Bmc bmc(limits);
    verdict::Verdict verdict = bmc.run(sequential.program, asked, budget, listener);
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
      if (unknown.gap != Gap::bound) return gap;
    }
  }
  return gap;
}

}  // namespace heddle::portfolio
