#include "sequentialize/mu_sections.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::sequentialize {

using namespace ir;

namespace {

std::vector<CellIndex> cells_of_write(const MuAccess& access, const Statement& statement) {
  std::vector<CellIndex> result;
  const bool writes =
      std::holds_alternative<Store>(statement) || std::holds_alternative<Update>(statement);
  if (!writes || access.direct) return result;
  result = access.known;
  result.insert(result.end(), access.found.begin(), access.found.end());
  std::ranges::sort(result);
  return result;
}

// Whether that was news.
bool add(std::vector<CellIndex>& into, const std::vector<CellIndex>& more) {
  std::vector<CellIndex> all;
  std::ranges::set_union(into, more, std::back_inserter(all));
  const bool news = all.size() > into.size();
  into = std::move(all);
  return news;
}

}  // namespace

MuSections::MuSections(const Program& program, const std::vector<ThreadCode>& threads,
                       const MuCells& cells) {
  for (ThreadIndex thread = 0; thread < threads.size(); ++thread) {
    const ThreadCode& code = threads[thread];
    auto& written = written_.emplace_back(code.points.size());
    const auto in_section = [&](PointIndex at) { return code.points[at].atomic_depth > 0; };
    std::vector<PointIndex> work;
    for (PointIndex at = 0; at < code.points.size(); ++at)
      if (in_section(at)) work.push_back(at);
    while (!work.empty()) {
      const PointIndex from = work.back();
      work.pop_back();
      for (const StepIndex id : code.points[from].out) {
        const CodeStep& step = code.steps[id];
        if (step.kind == StepKind::end || step.kind == StepKind::cut || !in_section(step.to))
          continue;
        std::vector<CellIndex> so_far = written[from];
        add(so_far, cells_of_write(cells.access(thread, id), program.edge(step.edge).statement));
        if (add(written[step.to], so_far)) work.push_back(step.to);
      }
    }
  }
}

}  // namespace heddle::sequentialize
