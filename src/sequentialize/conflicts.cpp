#include "sequentialize/conflicts.hpp"

#include <set>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;

namespace {

bool only_reads(const Statement& statement) {
  return std::holds_alternative<Load>(statement) || std::holds_alternative<Await>(statement) ||
         std::holds_alternative<ObjectSize>(statement);
}

}  // namespace

Conflicts::Conflicts(const Program& program, const passes::FutureAccesses& accesses,
                     const std::vector<ThreadCode>& threads)
    : program_(program), accesses_(accesses), threads_(threads) {
  for (const ThreadCode& code : threads)
    futures_.emplace_back(code.points.size(), accesses.gave_up() ? everything : Future{});
  if (accesses.gave_up()) return;
  number_cells();
  // Threads start others, so what one may do can change what another one may do.
  for (bool changed = true; changed;) {
    changed = false;
    for (ThreadIndex thread = static_cast<ThreadIndex>(threads.size()); thread-- > 0;)
      changed = update(thread) || changed;
  }
}

void Conflicts::number_cells() {
  struct Use {
    std::set<ThreadIndex> threads{};
    bool written = false;
  };
  std::vector<Use> uses(accesses_.cell_count());
  Use anywhere;  // accesses of which nobody knows where they go
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (const CodeStep& step : threads_[thread].steps) {
      const CodePoint& from = threads_[thread].points[step.from];
      for (const passes::CellIndex cell : ended_cells(thread, step)) {
        uses[cell].threads.insert(thread);
        uses[cell].written = true;
      }
      const auto& cells = accesses_.cells(threads_[thread].frames[from.frame].instance, step.edge);
      const bool writes = !only_reads(program_.edge(step.edge).statement);
      if (!cells) {
        anywhere.threads.insert(thread);
        anywhere.written |= writes;
        continue;
      }
      for (const passes::CellIndex cell : *cells) {
        uses[cell].threads.insert(thread);
        uses[cell].written |= writes;
      }
    }
  for (Use& use : uses) {
    use.threads.insert(anywhere.threads.begin(), anywhere.threads.end());
    use.written |= anywhere.written;
  }
  bits_.assign(uses.size(), 0);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i].threads.size() > 1 && uses[i].written) bits_[i] = std::uint64_t{1} << (next++ % 63);
}

// The end of an object is a write to all of it.
std::vector<passes::CellIndex> Conflicts::ended_cells(ThreadIndex thread,
                                                      const CodeStep& step) const {
  std::vector<passes::CellIndex> result;
  for (const LifeIndex life : step.ends) {
    const auto cells = accesses_.cells_of_allocation(threads_[thread].lives[life].allocation);
    result.insert(result.end(), cells.begin(), cells.end());
  }
  return result;
}

Future Conflicts::of_step(ThreadIndex thread, const CodeStep& step) const {
  const Statement& statement = program_.edge(step.edge).statement;
  const bool touches = passes::accessed_address(statement).has_value();
  if (!touches && step.ends.empty()) return {};
  if (accesses_.gave_up()) return everything;
  if (!touches) {
    Future ended;
    for (const passes::CellIndex cell : ended_cells(thread, step)) ended.writes |= bits_[cell];
    return ended;
  }
  const CodePoint& from = threads_[thread].points[step.from];
  const auto& cells = accesses_.cells(threads_[thread].frames[from.frame].instance, step.edge);
  Future result;
  std::uint64_t& bits = only_reads(statement) ? result.reads : result.writes;
  if (!cells) bits = everything.reads;
  if (cells)
    for (const passes::CellIndex cell : *cells) bits |= bits_[cell];
  return result;
}

bool Conflicts::update(ThreadIndex thread) {
  const ThreadCode& code = threads_[thread];
  bool news = false;
  for (bool changed = true; changed;) {
    changed = false;
    for (PointIndex at = static_cast<PointIndex>(code.points.size()); at-- > 0;) {
      Future found = futures_[thread][at];
      for (const StepIndex id : code.points[at].out) {
        const CodeStep& step = code.steps[id];
        found.add(of_step(thread, step));
        if (step.kind != StepKind::end && step.kind != StepKind::cut)
          found.add(futures_[thread][step.to]);
        if (const std::vector<Start>* starts = code.starts_of(id))
          for (const Start& start : *starts)
            for (const ThreadIndex started : start.threads)
              found.add(futures_[started][threads_[started].entry]);
      }
      if (found == futures_[thread][at]) continue;
      futures_[thread][at] = found;
      changed = news = true;
    }
  }
  return news;
}

std::vector<PointIndex> Conflicts::section(ThreadIndex thread, PointIndex at) const {
  const ThreadCode& code = threads_[thread];
  std::vector<PointIndex> result{at};
  std::set<PointIndex> seen{at};
  for (std::size_t i = 0; i < result.size(); ++i)
    for (const StepIndex id : code.points[result[i]].out) {
      const CodeStep& step = code.steps[id];
      if (step.kind == StepKind::end || step.kind == StepKind::cut) continue;
      if (code.points[step.to].atomic_depth > 0 && seen.insert(step.to).second)
        result.push_back(step.to);
    }
  return result;
}

Future Conflicts::of_steps(ThreadIndex thread, PointIndex at) const {
  Future result;
  for (const StepIndex id : threads_[thread].points[at].out)
    result.add(of_step(thread, threads_[thread].steps[id]));
  return result;
}

Future Conflicts::next(ThreadIndex thread, PointIndex at) const {
  Future result;
  for (const PointIndex point : section(thread, at)) result.add(of_steps(thread, point));
  return result;
}

bool Conflicts::may_stop(ThreadIndex thread, PointIndex at) const {
  const ThreadCode& code = threads_[thread];
  for (const PointIndex point : section(thread, at)) {
    const CodePoint& from = code.points[point];
    if (!from.bound.empty()) return true;
    for (const StepIndex id : from.out) {
      const CodeStep& step = code.steps[id];
      const Statement& statement = program_.edge(step.edge).statement;
      if (from.out.size() == 1 && std::holds_alternative<Assume>(statement)) return true;
      // A section that waits lets others run.
      if (std::holds_alternative<Await>(statement) && from.atomic_depth == 0) return true;
      if (step.kind == StepKind::end || step.kind == StepKind::cut) return true;
    }
  }
  return false;
}

}  // namespace heddle::sequentialize
