#include "engine/explore/abstract/explore_abstract.hpp"

#include <utility>

#include "base/check.hpp"
#include "domain/bdd.hpp"
#include "domain/interval.hpp"
#include "domain/product.hpp"
#include "domain/symbolic.hpp"
#include "domain/value.hpp"
#include "engine/explore/abstract/feasibility.hpp"
#include "engine/explore/abstract/search.hpp"
#include "engine/explore/stuck.hpp"
#include "machine/shorten.hpp"

namespace heddle::engine::explore {
namespace {

class Refinement {
 public:
  Refinement(const AbstractTask& task, const AbstractFacts& facts, Statistics& statistics)
      : task_(task),
        facts_(facts),
        statistics_(statistics),
        machine_(task.program, task.property),
        locality_(task.program, facts.sharing, task.options.local_steps),
        domain_(make_domain(task.options.domain, task.program)),
        precision_(task.options.refining == Refining::on ? Precision::nothing()
                                                         : Precision::everything()) {}

  std::optional<verdict::Verdict> run() {
    while (true) {
      const Semantics semantics(machine_, *domain_, precision_);
      SharingAudit audit;
      std::optional<Persistence> persistence;
      if (facts_.futures != nullptr)
        persistence.emplace(machine_, facts_.points_to, *facts_.futures);
      AbstractReductions reductions(
          {semantics, locality_, audit, persistence ? &*persistence : nullptr, facts_.locks});
      AbstractSearch search({semantics, reductions, task_.property, task_.budget, task_.listener,
                             task_.options, statistics_});
      const Round round = search_once(search);
      if (round.verdict) return std::move(*round.verdict);
      if (search.misled()) return std::nullopt;
      if (!round.refined && !may_be_too_coarse(search)) return conclude(search);
      ++statistics_.refinements;
    }
  }

 private:
  struct Round {
    std::optional<verdict::Verdict> verdict{};
    bool refined = false;  // the precision is finer now: begin again
  };

  Round search_once(AbstractSearch& search) {
    while (std::optional<Candidate> candidate = search.next_candidate()) {
      Feasibility found = check_path(*candidate, machine_);
      if (auto* unsafe = std::get_if<verdict::Unsafe>(&found)) return {finish(std::move(*unsafe))};
      ++statistics_.spurious;
      if (const auto* spurious = std::get_if<Spurious>(&found)) {
        if (refine(*spurious)) return {std::nullopt, true};
        search.dismiss("the domain is too coarse to rule out a path that does not exist");
      } else {
        search.dismiss(std::get<Unclear>(found).why);
      }
    }
    return {};
  }

  // An address or a wait that hangs on a variable which is not kept cuts the search.
  bool may_be_too_coarse(const AbstractSearch& search) {
    if (!search.gap() || search.gap()->gap != verdict::Gap::bound || precision_.keeps_everything())
      return false;
    precision_ = Precision::everything();
    return true;
  }

  bool refine(const Spurious& spurious) {
    if (precision_.keeps_everything()) return false;
    return precision_.add(spurious.needed) || precision_.add(spurious.on_path);
  }

  verdict::Verdict finish(verdict::Unsafe unsafe) const {
    if (task_.options.shortening == Shortening::off) return unsafe;
    return machine::shorten(std::move(unsafe), machine_, task_.property, task_.budget);
  }

  verdict::Verdict conclude(const AbstractSearch& search) const {
    if (!search.gap() && task_.property.has(verdict::Check::deadlock) &&
        has_unowned_waits(task_.program))
      return verdict::Unknown{
          verdict::Gap::bound, "a thread may wait for ever while another one spins", {}, {}};
    if (!search.gap())
      return verdict::Safe{verdict::ExhaustedSearch{statistics_.states, statistics_.steps}};
    verdict::Unknown unknown = *search.gap();
    unknown.reached = {statistics_.states, statistics_.steps, statistics_.depth};
    return unknown;
  }

  const AbstractTask& task_;
  const AbstractFacts& facts_;
  Statistics& statistics_;
  machine::Machine machine_;
  Locality locality_;
  std::unique_ptr<domain::Domain> domain_;
  Precision precision_;
};

}  // namespace

std::unique_ptr<domain::Domain> make_domain(DomainKind kind, const ir::Program& program) {
  switch (kind) {
    case DomainKind::value:
      return domain::make_value(program);
    case DomainKind::interval:
      return domain::make_interval(program);
    case DomainKind::bdd:
      return domain::make_bdd(program);
    case DomainKind::product: {
      std::vector<std::unique_ptr<domain::Domain>> parts;
      parts.push_back(domain::make_interval(program));
      parts.push_back(domain::make_bdd(program));
      return domain::make_product(program, std::move(parts));
    }
    case DomainKind::symbolic:
      return std::make_unique<domain::SymbolicDomain>(program);
    case DomainKind::concrete:
      break;
  }
  CHECK(false, "concrete states need no domain");
  return nullptr;
}

std::optional<verdict::Verdict> explore_abstract(const AbstractTask& task,
                                                 const AbstractFacts& facts,
                                                 Statistics& statistics) {
  return Refinement(task, facts, statistics).run();
}

}  // namespace heddle::engine::explore
