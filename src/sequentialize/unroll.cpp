#include "sequentialize/unroll.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace heddle::sequentialize {
namespace {

bool goes_on(const CodeStep& step) {
  return step.kind != StepKind::end && step.kind != StepKind::cut;
}

// ---- loops inside loops ------------------------------------------------------------

// A loop is a set of places that reach each other, and its head the first of them that the thread
// meets. Without the steps to its head, what still reaches each other in it is the next level. So
// every cycle goes by the head of some loop that it does not leave, even where a loop has several
// entries.
class LoopNest {
 public:
  using Loops = std::vector<PointIndex>;  // their heads, outermost first

  explicit LoopNest(const ThreadCode& code)
      : code_(code), loops_(code.points.size()), order_(code.points.size(), 0) {
    number_points();
    std::vector<PointIndex> all(code.points.size());
    for (PointIndex at = 0; at < all.size(); ++at) all[at] = at;
    std::vector<std::vector<PointIndex>> work{std::move(all)};
    while (!work.empty()) {
      const std::vector<PointIndex> part = std::move(work.back());
      work.pop_back();
      for (std::vector<PointIndex>& loop : find_loops(part)) {
        const PointIndex head =
            *std::ranges::min_element(loop, {}, [&](PointIndex at) { return order_[at]; });
        for (const PointIndex at : loop) loops_[at].push_back(head);
        work.push_back(std::move(loop));
      }
    }
  }

  const Loops& around(PointIndex at) const { return loops_[at]; }

 private:
  // As the thread meets them first.
  void number_points() {
    std::vector<PointIndex> work{code_.entry};
    std::uint32_t count = 0;
    while (!work.empty()) {
      const PointIndex at = work.back();
      work.pop_back();
      if (order_[at] != 0) continue;
      order_[at] = ++count;
      for (const StepIndex id : code_.points[at].out)
        if (goes_on(code_.steps[id])) work.push_back(code_.steps[id].to);
    }
  }

  // Tarjan's components of at least one step, inside of a part that has the same loops around it.
  std::vector<std::vector<PointIndex>> find_loops(const std::vector<PointIndex>& part) {
    number_.assign(code_.points.size(), 0);
    low_ = number_;
    inside_.assign(code_.points.size(), 0);
    count_ = 0;
    for (const PointIndex at : part) inside_[at] = 1;
    std::vector<std::vector<PointIndex>> found;
    for (const PointIndex at : part)
      if (number_[at] == 0) walk_from(at, found);
    return found;
  }

  // A step to the head of the part belongs to the level above.
  bool counts(PointIndex from, const CodeStep& step) const {
    return goes_on(step) && inside_[step.to] != 0 &&
           (loops_[from].empty() || loops_[from].back() != step.to);
  }

  void walk_from(PointIndex start, std::vector<std::vector<PointIndex>>& found) {
    std::vector<std::pair<PointIndex, std::size_t>> path;
    std::vector<PointIndex> open;
    const auto visit = [&](PointIndex at) {
      number_[at] = low_[at] = ++count_;
      open.push_back(at);
      path.emplace_back(at, 0);
    };
    visit(start);
    while (!path.empty()) {
      const PointIndex at = path.back().first;
      if (path.back().second < code_.points[at].out.size()) {
        const CodeStep& step = code_.steps[code_.points[at].out[path.back().second++]];
        if (!counts(at, step)) continue;
        if (number_[step.to] == 0)
          visit(step.to);
        else
          low_[at] = std::min(low_[at], number_[step.to]);
        continue;
      }
      path.pop_back();
      if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[at]);
      if (low_[at] == number_[at]) close(at, open, found);
    }
  }

  void close(PointIndex root, std::vector<PointIndex>& open,
             std::vector<std::vector<PointIndex>>& found) {
    const auto first = std::find(open.begin(), open.end(), root);
    std::vector<PointIndex> members(first, open.end());
    open.erase(first, open.end());
    const bool cycle =
        members.size() > 1 || std::ranges::any_of(code_.points[root].out, [&](StepIndex id) {
          return code_.steps[id].to == root && counts(root, code_.steps[id]);
        });
    for (const PointIndex at : members) number_[at] = UINT32_MAX;  // no longer open
    if (cycle) found.push_back(std::move(members));
  }

  const ThreadCode& code_;
  std::vector<Loops> loops_;          // by PointIndex
  std::vector<std::uint32_t> order_;  // by PointIndex; 0: never met
  std::vector<std::uint32_t> number_{}, low_{};
  std::vector<char> inside_{};
  std::uint32_t count_ = 0;
};

// ---- copies ------------------------------------------------------------------------

class Unroller {
 public:
  Unroller(const ThreadCode& code, std::uint32_t times, std::uint32_t& points_left)
      : code_(code), times_(times), points_left_(points_left), nest_(code) {}

  ThreadCode run() {
    result_.frames = code_.frames;
    result_.entry = copy(code_.entry, Rounds(nest_.around(code_.entry).size(), 0));
    while (!work_.empty()) {
      const auto [at, known] = work_.back();
      work_.pop_back();
      for (const StepIndex id : code_.points[known->first].out) {
        CodeStep step = code_.steps[id];
        step.from = at;
        if (goes_on(step)) step.to = target(known->first, known->second, step.to);
        result_.points[at].out.push_back(static_cast<StepIndex>(result_.steps.size()));
        result_.steps.push_back(std::move(step));
      }
    }
    return std::move(result_);
  }

 private:
  using Rounds = std::vector<std::uint32_t>;  // of each loop around, outermost first
  using Copies = std::map<std::pair<PointIndex, Rounds>, PointIndex>;

  PointIndex target(PointIndex from, const Rounds& rounds, PointIndex to) {
    const LoopNest::Loops& before = nest_.around(from);
    const LoopNest::Loops& after = nest_.around(to);
    Rounds next(after.size(), 0);
    for (std::size_t i = 0; i < after.size() && i < before.size() && after[i] == before[i]; ++i)
      next[i] = rounds[i] + (to == after[i] ? 1 : 0);
    if (std::ranges::any_of(next, [&](std::uint32_t round) { return round > times_; }))
      return beyond(to);
    return copy(to, std::move(next));
  }

  PointIndex copy(PointIndex of, Rounds rounds) {
    const auto [entry, fresh] = copies_.try_emplace({of, std::move(rounds)}, 0);
    if (fresh) {
      entry->second = add(of);
      work_.emplace_back(entry->second, &entry->first);
    }
    return entry->second;
  }

  PointIndex beyond(PointIndex head) {
    const auto [entry, fresh] = beyond_.try_emplace(head, 0);
    if (fresh) {
      entry->second = add(head);
      result_.points.back().bound = fmt::format("a loop goes round more than {} times", times_);
    }
    return entry->second;
  }

  PointIndex add(PointIndex of) {
    if (points_left_ == 0)
      throw TooLarge("the code of all threads, calls expanded and loops unrolled, is too large");
    --points_left_;
    CodePoint added;
    added.frame = code_.points[of].frame;
    added.at = code_.points[of].at;
    result_.points.push_back(std::move(added));
    return static_cast<PointIndex>(result_.points.size() - 1);
  }

  const ThreadCode& code_;
  std::uint32_t times_;
  std::uint32_t& points_left_;
  LoopNest nest_;
  ThreadCode result_{};
  Copies copies_{};
  std::map<PointIndex, PointIndex> beyond_{};
  std::vector<std::pair<PointIndex, const Copies::key_type*>> work_{};
};

}  // namespace

ThreadCode unroll_loops(const ThreadCode& code, std::uint32_t times, std::uint32_t& points_left) {
  return Unroller(code, times, points_left).run();
}

}  // namespace heddle::sequentialize
