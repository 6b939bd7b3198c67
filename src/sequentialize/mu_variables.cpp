#include "sequentialize/mu_variables.hpp"

#include <algorithm>
#include <set>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;

MuVariables::MuVariables(Emitter& emitter, const Program& program, ThreadEmitter& steps,
                         const Facts& facts, const std::vector<ThreadCode>& threads,
                         const PrivateAccesses& privates, const MuCells& cells,
                         const MuOptions& options)
    : emitter_(emitter),
      program_(program),
      steps_(steps),
      facts_(facts),
      threads_(threads),
      privates_(privates),
      cells_(cells),
      options_(options),
      variables_(emitter, program, steps) {
  if (options.emission.wording == Wording::exact) return;
  choose();
  if (!options.in_memory()) find_early_accesses();
  std::set<std::pair<ThreadIndex, StepIndex>> asked;
  for (const auto& [access, allocations] : early_)
    for (const StepRef at : allocations) asked.insert({at.thread, at.step});
  for (const Candidate& known : candidates_)
    variables_.keep(known.at, known.count,
                    asked.contains({known.at.thread, known.at.step}) ? Counting::always
                                                                     : Counting::where_several);
}

// ---- which objects ---------------------------------------------------------------

bool MuVariables::is_local(StepRef at) const {
  const auto& alloc = std::get<Alloc>(steps_.edge(at).statement);
  const std::optional<passes::ObjectIndex> object = cells_.object_of(at.thread, at.step);
  return alloc.kind == AllocKind::stack && !steps_.step(at).begins && object &&
         !facts_.sharedness.object_may_be_shared(*object);
}

void MuVariables::choose() {
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (StepIndex id = 0; id < threads_[thread].steps.size(); ++id) {
      const StepRef at{thread, id};
      const auto* alloc = std::get_if<Alloc>(&steps_.edge(at).statement);
      if (alloc == nullptr || steps_.step(at).kind != StepKind::statement) continue;
      if (alloc->kind != AllocKind::model && alloc->kind != AllocKind::stack) continue;
      if (is_local(at) || !variables_.possible(at)) continue;
      const bool again =
          threads_[thread].points[steps_.step(at).from].in_cycle || cells_.repeated(thread);
      candidates_.push_back({at, again ? std::max(options_.threads, options_.rounds) : 1,
                             cells_.object_of(thread, id), before(at)});
    }
}

// ---- accesses that may come too early --------------------------------------------

// Cells that are known beforehand are told apart by their addresses, which nobody has before they
// are there.
bool MuVariables::goes_to_memory(StepRef at) const {
  const CodeStep& step = steps_.step(at);
  const MuAccess& access = cells_.access(at.thread, at.step);
  return (access.direct || !access.found.empty()) &&
         passes::accessed_address(program_.edge(step.edge).statement) &&
         facts_.sharedness.may_be_shared(step.edge) && privates_.concurrent(at.thread, step.from) &&
         !privates_.to_fresh_block(at.thread, at.step);
}

std::vector<char> MuVariables::before(StepRef allocation) const {
  const ThreadCode& code = threads_[allocation.thread];
  std::vector<char> result(code.points.size(), 0);
  std::vector<PointIndex> work{code.entry};
  result[code.entry] = 1;
  while (!work.empty()) {
    const PointIndex from = work.back();
    work.pop_back();
    for (const StepIndex id : code.points[from].out) {
      const CodeStep& step = code.steps[id];
      if (id == allocation.step || step.kind == StepKind::end || step.kind == StepKind::cut)
        continue;
      if (result[step.to] != 0) continue;
      result[step.to] = 1;
      work.push_back(step.to);
    }
  }
  return result;
}

// In the thread itself, or in one that it starts later.
bool MuVariables::surely_after(StepRef access, const Candidate& allocated) const {
  ThreadIndex thread = access.thread;
  StepIndex step = access.step;
  while (thread != allocated.at.thread) {
    if (!threads_[thread].creator) return false;
    step = threads_[thread].created_by;
    thread = *threads_[thread].creator;
  }
  return allocated.before[threads_[thread].steps[step].from] == 0;
}

void MuVariables::find_early_accesses() {
  std::map<passes::ObjectIndex, std::vector<const Candidate*>> of_object;
  for (const Candidate& known : candidates_)
    if (known.object) of_object[*known.object].push_back(&known);
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (StepIndex id = 0; id < threads_[thread].steps.size(); ++id) {
      const StepRef at{thread, id};
      if (!goes_to_memory(at)) continue;
      std::set<passes::ObjectIndex> touched;
      const passes::InstanceId instance = threads_[thread].frames[steps_.frame(at)].instance;
      for (const auto& bytes : facts_.points_to.touched(instance, steps_.step(at).edge).bytes)
        touched.insert(bytes.object);
      for (const passes::ObjectIndex object : touched) {
        const auto found = of_object.find(object);
        if (found == of_object.end()) continue;
        for (const Candidate* known : found->second)
          if (known->count > 1 || !surely_after(at, *known))
            early_[{thread, id}].push_back(known->at);
      }
    }
}

std::optional<ExprId> MuVariables::comes_too_early(StepRef access) {
  const auto known = early_.find({access.thread, access.step});
  if (known == early_.end()) return std::nullopt;
  ProgramBuilder& build = emitter_.build();
  const ExprId address = *passes::accessed_address(steps_.edge(access).statement);
  const ExprId there = build.cast(build.size_type(), steps_.renamed(access, address));
  std::optional<ExprId> result;
  for (const StepRef allocation : known->second) {
    const ExprId ahead = variables_.is_ahead(allocation, there);
    result = result ? emitter_.either(*result, ahead) : ahead;
  }
  return result;
}

}  // namespace heddle::sequentialize
