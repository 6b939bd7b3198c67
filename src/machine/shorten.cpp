#include "machine/shorten.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

namespace heddle::machine {
namespace {

using Steps = std::vector<verdict::Step>;
constexpr std::uint64_t most_steps_tried = 2'000'000;

struct Segment {
  ThreadNumber thread = 0;
  Steps steps{};
};
using Segments = std::vector<Segment>;

Segments split(const Steps& steps) {
  Segments segments;
  for (const verdict::Step& step : steps) {
    if (segments.empty() || segments.back().thread != step.thread)
      segments.push_back({step.thread, {}});
    segments.back().steps.push_back(step);
  }
  return segments;
}

Steps join(const Segments& segments) {
  Steps steps;
  for (const Segment& segment : segments)
    steps.insert(steps.end(), segment.steps.begin(), segment.steps.end());
  return steps;
}

class Shortener {
 public:
  Shortener(verdict::Unsafe unsafe, const Machine& machine, const verdict::Property& property,
            const base::Budget& budget)
      : best_(std::move(unsafe)), machine_(machine), property_(property), budget_(budget) {}

  verdict::Unsafe run() {
    while (drop_last_segments() || merge_segments()) {
    }
    return std::move(best_);
  }

 private:
  // What a thread does last is often not needed. Of the thread to blame, everything is.
  bool drop_last_segments() {
    bool changed = false;
    Segments segments = split(best_.trace.steps);
    std::set<ThreadNumber> later;
    for (std::size_t i = segments.size(); i-- > 0 && !is_over();) {
      const bool is_last = later.insert(segments[i].thread).second;
      if (!is_last || segments[i].thread == best_.violation.thread) continue;
      Segments shorter = segments;
      shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(i));
      if (!accept(join(shorter))) continue;
      later.erase(segments[i].thread);
      segments = std::move(shorter);
      changed = true;
    }
    return changed;
  }

  // Moves a segment up or down to the next one of its thread, if the rest lets it.
  bool merge_segments() {
    Segments segments = split(best_.trace.steps);
    for (std::size_t i = 0; i < segments.size() && !is_over(); ++i) {
      std::size_t next = i + 1;
      while (next < segments.size() && segments[next].thread != segments[i].thread) ++next;
      if (next == segments.size()) continue;
      const auto at = [&](std::size_t index) {
        return segments.begin() + static_cast<std::ptrdiff_t>(index);
      };
      Segments later = segments;
      std::rotate(later.begin() + static_cast<std::ptrdiff_t>(i),
                  later.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                  later.begin() + static_cast<std::ptrdiff_t>(next));
      if (accept(join(later))) return true;
      std::rotate(at(i + 1), at(next), at(next + 1));
      if (accept(join(segments))) return true;
      segments = split(best_.trace.steps);
    }
    return false;
  }

  // Long traces take more time to cut up than anybody would wait for.
  bool is_over() const { return tried_ > most_steps_tried || budget_.out_of_time(); }

  bool accept(Steps candidate) {
    if (is_over()) return false;
    if (split(candidate).size() >= split(best_.trace.steps).size()) return false;
    std::optional<verdict::Violation> violation = replay(candidate);
    if (!violation) return false;
    best_ = {{std::move(candidate)}, std::move(*violation)};
    return true;
  }

  bool same(const verdict::Violation& found) const {
    const verdict::Violation& wanted = best_.violation;
    return found.check == wanted.check && found.thread == wanted.thread &&
           found.edge == wanted.edge && found.other_thread == wanted.other_thread &&
           found.other_edge == wanted.other_edge && found.stuck == wanted.stuck;
  }

  bool can_take(const State& state, const verdict::Step& step) const {
    if (step.thread >= state.thread_count()) return false;
    const auto edges = machine_.edges(state, step.thread);
    if (std::find(edges.begin(), edges.end(), step.edge) == edges.end()) return false;
    return machine_.input_needed(state, step.thread, step.edge).has_value() ==
           step.input.has_value();
  }

  std::optional<verdict::Violation> replay(const Steps& steps) {
    State state = machine_.initial();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      ++tried_;
      if (!can_take(state, steps[i])) return std::nullopt;
      const StepResult result =
          machine_.step(state, steps[i].thread, steps[i].edge, steps[i].input);
      if (result.violation) {
        if (i + 1 == steps.size() && same(*result.violation)) return result.violation;
        return std::nullopt;
      }
      if (result.outcome != Outcome::moved) return std::nullopt;
    }
    for (const verdict::Check check : {verdict::Check::race, verdict::Check::deadlock}) {
      if (best_.violation.check != check || !property_.has(check)) continue;
      const auto found =
          check == verdict::Check::race ? machine_.race(state) : machine_.deadlock(state);
      if (found && same(*found)) return found;
    }
    return std::nullopt;
  }

  verdict::Unsafe best_;
  const Machine& machine_;
  const verdict::Property& property_;
  const base::Budget& budget_;
  std::uint64_t tried_ = 0;
};

}  // namespace

verdict::Unsafe shorten(verdict::Unsafe unsafe, const Machine& machine,
                        const verdict::Property& property, const base::Budget& budget) {
  return Shortener(std::move(unsafe), machine, property, budget).run();
}

}  // namespace heddle::machine
