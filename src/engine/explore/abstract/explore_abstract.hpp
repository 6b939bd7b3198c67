// The search over a domain, with refinement (CEGAR): begins with few variables, and
// keeps one more when a path that does not exist could only be told from a real one
// by its value.
#pragma once

#include <memory>
#include <optional>

#include "base/budget.hpp"
#include "domain/store.hpp"
#include "engine/engine.hpp"
#include "engine/explore/locality.hpp"
#include "engine/explore/lock_discipline.hpp"
#include "engine/explore/options.hpp"
#include "passes/future_accesses.hpp"
#include "passes/points_to.hpp"

namespace heddle::engine::explore {

struct AbstractTask {
  const ir::Program& program;
  const verdict::Property& property;
  const base::Budget& budget;
  Listener& listener;
  const Options& options;
};

std::unique_ptr<domain::Domain> make_domain(DomainKind kind, const ir::Program& program);

// What is known before the search.
struct AbstractFacts {
  const SharingFacts& sharing;
  const passes::PointsTo& points_to;
  const passes::FutureAccesses* futures;  // null: nothing
  LockDiscipline* locks;                  // null: none
};

// nullopt: the facts were wrong.
std::optional<verdict::Verdict> explore_abstract(const AbstractTask& task,
                                                 const AbstractFacts& facts,
                                                 Statistics& statistics);

}  // namespace heddle::engine::explore
