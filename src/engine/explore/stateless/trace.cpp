#include "engine/explore/stateless/trace.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "base/hash.hpp"

namespace heddle::engine::explore {

void join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

Trace::History& Trace::history(ObjectName object) {
  const auto [at, fresh] =
      objects_.try_emplace(object, static_cast<std::uint32_t>(histories_.size()));
  if (fresh) histories_.emplace_back();
  return histories_[at.value()];
}

void Trace::push(Event event) {
  const Position at = size();
  const Footprint& footprint = *event.action.footprint;
  const ThreadNumber thread = event.action.thread;
  if (by_thread_.size() <= thread) by_thread_.resize(thread + 1);
  by_thread_[thread].push_back(at);
  for (const Touched& touch : footprint.touched) history(touch.object).push_back({at, touch});
  if (footprint.everything) far_reaching_.push_back(at);
  if (footprint.spawned > 0) {
    const std::size_t threads = footprint.first_spawned + footprint.spawned;
    if (creator_.size() < threads) creator_.resize(threads);
    if (by_thread_.size() < threads) by_thread_.resize(threads);
    for (ThreadNumber i = 0; i < footprint.spawned; ++i) creator_[footprint.first_spawned + i] = at;
  }
  events_.push_back(std::move(event));
}

void Trace::pop() {
  const Event& event = events_.back();
  const Footprint& footprint = *event.action.footprint;
  by_thread_[event.action.thread].pop_back();
  for (const Touched& touch : footprint.touched) history(touch.object).pop_back();
  if (footprint.everything) far_reaching_.pop_back();
  events_.pop_back();
}

const std::vector<Position>& Trace::events_of(ThreadNumber thread) const {
  static const std::vector<Position> none;
  return thread < by_thread_.size() ? by_thread_[thread] : none;
}

Clock Trace::clock_of(ThreadNumber thread) const {
  const std::vector<Position>& own = events_of(thread);
  if (!own.empty()) return events_[own.back()].clock;
  if (thread == 0 || thread >= creator_.size()) return {};
  return events_[creator_[thread]].clock;
}

std::uint64_t Trace::digest() const {
  std::uint64_t digest = 0;
  for (ThreadNumber thread = 0; thread < by_thread_.size(); ++thread) {
    for (const Position at : by_thread_[thread]) {
      const Event& event = events_[at];
      digest = base::combine(digest, thread);
      for (const std::uint64_t input : event.action.inputs) digest = base::combine(digest, input);
      for (ThreadNumber other = 0; other < event.clock.size(); ++other)
        if (event.clock[other] != 0)
          digest = base::combine(base::combine(digest, other), event.clock[other]);
    }
  }
  return digest;
}

void Trace::look_up(const Touched& touch, const Clock& known, Extent extent,
                    std::vector<Position>& found) const {
  const auto at = objects_.find(touch.object);
  if (at == objects_.end()) return;
  const History& history = histories_[at->second];
  for (auto entry = history.rbegin(); entry != history.rend(); ++entry) {
    if (!conflicting(entry->touch, touch)) continue;
    const bool is_known = happened(entry->at, known);
    if (!is_known) found.push_back(entry->at);
    // All that touched these bytes before such a write happened before it.
    const bool covers = entry->touch.kind == AccessKind::write &&
                        entry->touch.offset <= touch.offset &&
                        entry->touch.offset + entry->touch.size >= touch.offset + touch.size;
    if (covers && (is_known || extent == Extent::last)) return;
  }
}

std::vector<Position> Trace::dependent_on(const Footprint& footprint, const Clock& known,
                                          Extent extent) const {
  std::vector<Position> found;
  if (footprint.everything) {
    for (Position at = 0; at < size(); ++at)
      if (!events_[at].action.footprint->empty() && !happened(at, known)) found.push_back(at);
  } else {
    for (const Touched& touch : footprint.touched) look_up(touch, known, extent, found);
    if (!footprint.empty())
      for (const Position at : far_reaching_)
        if (!happened(at, known)) found.push_back(at);
  }
  std::sort(found.begin(), found.end(), std::greater<>());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace heddle::engine::explore
