#include "engine/bmc/bmc.hpp"

#include <fmt/format.h>

#include <optional>

#include "engine/bmc/encode.hpp"
#include "engine/bmc/trace.hpp"
#include "engine/bmc/unfolder.hpp"
#include "machine/machine.hpp"
#include "machine/shorten.hpp"

namespace heddle::engine::bmc {
namespace {

using smt::SatAnswer;
using verdict::Gap;
using verdict::Unknown;

class Run {
 public:
  Run(const ir::Program& program, const verdict::Property& property, const Options& options,
      const base::Budget& budget, Statistics& statistics)
      : property_(property),
        options_(options),
        budget_(budget),
        statistics_(statistics),
        machine_(program, property),
        unfolder_(program, property, options, budget) {}

  // nullopt: a higher bound may tell; `gap_` says what stopped this one.
  std::optional<verdict::Verdict> try_bound(std::uint32_t bound) {
    statistics_.bound = bound;
    const std::unique_ptr<Round> round = unfolder_.unfold(bound);
    statistics_.rounds = unfolder_.rounds();
    Encoder encoder(*round, options_, statistics_);
    bool certain = true;
    while (true) {
      switch (encoder.solve(encoder.timely_violation(), budget_)) {
        case SatAnswer::out_of_budget:
          return out_of_time();
        case SatAnswer::unsat:
          return certain ? judge_untimely(encoder) : std::nullopt;
        case SatAnswer::sat:
          break;
      }
      std::string why;
      if (std::optional<verdict::Unsafe> unsafe = build_trace(*round, encoder, machine_, why))
        return finish(std::move(*unsafe));
      ++statistics_.unreplayed;
      certain = false;
      gap_ = {Gap::bound,
              "an execution that seems to break the property does not replay: " + why,
              {},
              {}};
      encoder.exclude_violation();
    }
  }

  verdict::Verdict out_of_time() const { return Unknown{Gap::time, "the time was up", {}, {}}; }
  const Unknown& gap() const { return gap_; }

 private:
  verdict::Verdict finish(verdict::Unsafe unsafe) const {
    if (options_.shorten == Switch::off) return unsafe;
    return machine::shorten(std::move(unsafe), machine_, property_,
                            budget_.at_most(std::chrono::seconds(2)));
  }

  // What breaks the property, if anything, is no execution.
  std::optional<verdict::Verdict> judge_untimely(Encoder& encoder) {
    if (encoder.timely_violation() == encoder.violation()) return judge_cut(encoder);
    switch (encoder.solve(encoder.violation(), budget_)) {
      case SatAnswer::out_of_budget:
        return out_of_time();
      case SatAnswer::unsat:
        return judge_cut(encoder);
      case SatAnswer::sat:
        break;
    }
    gap_ = {
        Gap::bound, "what seems to break the property uses memory before it is allocated", {}, {}};
    return std::nullopt;
  }

  // Nothing breaks the property as far as we have unrolled: was that all?
  std::optional<verdict::Verdict> judge_cut(Encoder& encoder) {
    statistics_.cleared = statistics_.bound;
    switch (encoder.solve(encoder.cut(), budget_)) {
      case SatAnswer::out_of_budget:
        return out_of_time();
      case SatAnswer::unsat:
        return verdict::Safe{verdict::ExhaustedUnrolling{statistics_.bound, statistics_.events}};
      case SatAnswer::sat:
        break;
    }
    const Cut* cut = encoder.cut_reached();
    if (cut == nullptr)
      return Unknown{Gap::bound, "a thread may wait for ever while another one spins", {}, {}};
    gap_ = {cut->gap, cut->detail, cut->source, {}};
    if (cut->gap != Gap::bound) return gap_;
    return std::nullopt;
  }

  const verdict::Property& property_;
  const Options& options_;
  const base::Budget& budget_;
  Statistics& statistics_;
  machine::Machine machine_;
  Unfolder unfolder_;
  Unknown gap_{Gap::bound, "", {}, {}};
};

}  // namespace

verdict::Verdict Bmc::run(const ir::Program& program, const verdict::Property& property,
                          const base::Budget& budget, Listener& listener) {
  statistics_ = {};
  verdict::Verdict verdict = unroll(program, property, budget, listener);
  if (auto* unknown = std::get_if<Unknown>(&verdict)) unknown->reached.bound = statistics_.cleared;
  return verdict;
}

verdict::Verdict Bmc::unroll(const ir::Program& program, const verdict::Property& property,
                             const base::Budget& budget, Listener& listener) {
  Run run(program, property, options_, budget, statistics_);
  try {
    for (const std::uint32_t bound : options_.bounds) {
      if (budget.out_of_time()) return run.out_of_time();
      listener.progress({statistics_.nodes, statistics_.events, 0, bound});
      if (std::optional<verdict::Verdict> verdict = run.try_bound(bound))
        return std::move(*verdict);
    }
  } catch (const TooLarge& limit) {
    return Unknown{limit.gap, limit.detail, {}, {}};
  }
  return run.gap();
}

}  // namespace heddle::engine::bmc
