#include "sequentialize/mu_uses.hpp"

#include <algorithm>
#include <optional>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;
using passes::ObjectIndex;
using passes::ObjectKind;
using passes::TouchedBytes;

namespace {

// The smallest range of a power of two that holds both and begins at a multiple of it.
MuUnit joined(const MuUnit& left, const MuUnit& right) {
  const std::uint64_t first = std::min(left.first, right.first);
  const std::uint64_t end = std::max(left.end(), right.end());
  MuUnit result{left.object, first, 1};
  while (result.end() < end) {
    result.bytes *= 2;
    result.first = first / result.bytes * result.bytes;
  }
  return result;
}

// None of them overlap.
std::vector<MuUnit> disjoint(const std::set<MuUnit>& touched) {
  std::vector<MuUnit> result;
  for (MuUnit unit : touched) {
    while (!result.empty() && result.back().end() > unit.first) {
      if (result.back() != unit) unit = joined(result.back(), unit);
      result.pop_back();
    }
    result.push_back(unit);
  }
  return result;
}

const MuUnit& unit_around(const std::vector<MuUnit>& units, std::uint64_t first) {
  const auto after = std::ranges::upper_bound(units, first, {}, &MuUnit::first);
  return *std::prev(after);
}

}  // namespace

MuUses::MuUses(const Program& program, const passes::PointsTo& points_to,
               const passes::Sharedness& sharedness, const std::vector<ThreadCode>& threads,
               const PrivateAccesses& privates)
    : program_(program),
      points_to_(points_to),
      sharedness_(sharedness),
      threads_(threads),
      privates_(privates) {
  for (ThreadIndex thread = 0; thread < threads.size(); ++thread)
    for (StepIndex step = 0; step < threads[thread].steps.size(); ++step) add(thread, step);
  settle();
}

// ---- who touches what ------------------------------------------------------------

void MuUses::add(ThreadIndex thread, StepIndex id) {
  const ThreadCode& code = threads_[thread];
  const CodeStep& step = code.steps[id];
  const Statement& statement = program_.edge(step.edge).statement;
  MuUse use{.thread = thread, .step = id};
  if (std::holds_alternative<Load>(statement)) {
    use.reads = true;
  } else if (const auto* store = std::get_if<Store>(&statement)) {
    use.writes = true;
    use.reads = !store->bits.whole();
  } else if (std::holds_alternative<Update>(statement)) {
    use.reads = use.writes = true;
  } else if (std::holds_alternative<Await>(statement)) {
    use.reads = true;
  } else {
    return;
  }
  if (!sharedness_.may_be_shared(step.edge)) return;
  if (!privates_.concurrent(thread, step.from) || privates_.to_fresh_block(thread, id)) {
    ++private_;
    return;
  }
  const Type& type = program_.type(program_.pointee(*passes::accessed_address(statement)));
  const passes::InstanceId instance = code.frames[code.points[step.from].frame].instance;
  const passes::Touched touched = points_to_.touched(instance, step.edge);
  if (touched.anything) {
    beyond_[{thread, id}] = "an access through a pointer of which nothing is known";
    return;
  }
  if (type.kind == TypeKind::floating) {
    beyond_[{thread, id}] = "floating-point numbers in memory that threads share";
    return;
  }
  use.bytes = static_cast<std::uint32_t>(type.size);
  for (const TouchedBytes& place : touched.bytes) {
    const bool outside = !place.whole && place.first < 0;
    if (outside || points_to_.objects()[place.object].kind == ObjectKind::function) continue;
    if (place.whole) even_.insert(place.object);
    use.places.push_back(place);
  }
  uses_.push_back(std::move(use));
}

// ---- units -----------------------------------------------------------------------

std::map<ObjectIndex, std::vector<MuUnit>> MuUses::units() const {
  std::map<ObjectIndex, std::set<MuUnit>> touched;
  for (const MuUse& use : uses_)
    for (const TouchedBytes& place : use.places) {
      MuUnit unit{place.object, static_cast<std::uint64_t>(place.first), use.bytes};
      if (even_.contains(place.object)) unit.first = 0;
      const auto least = least_.find(place.object);
      if (least != least_.end() && least->second > unit.bytes)
        unit =
            joined(unit, {place.object, unit.first / least->second * least->second, least->second});
      touched[place.object].insert(unit);
    }
  std::map<ObjectIndex, std::vector<MuUnit>> result;
  for (const auto& [object, all] : touched) result[object] = disjoint(all);
  return result;
}

void MuUses::settle() {
  const std::map<ObjectIndex, std::vector<MuUnit>> all = units();
  std::set<ObjectIndex> impossible;
  for (const auto& [object, units] : all)
    for (const MuUnit& unit : units)
      if (!is_possible(unit)) impossible.insert(object);
  drop_uses_of(impossible);
  for (MuUse& use : uses_) {
    use.units.clear();
    for (const TouchedBytes& place : use.places) {
      const std::vector<MuUnit>& units = all.at(place.object);
      const bool even = even_.contains(place.object);
      use.units.push_back(even ? units.front()
                               : unit_around(units, static_cast<std::uint64_t>(place.first)));
    }
  }
}

// Units of one element may not reach into the next.
bool MuUses::is_possible(const MuUnit& unit) const {
  const bool inside = is_cut_evenly(unit.object) || unit.end() <= points_to_.period(unit.object);
  return unit.bytes <= largest_unit && inside;
}

void MuUses::drop_uses_of(const std::set<ObjectIndex>& objects) {
  std::erase_if(uses_, [&](const MuUse& use) {
    const bool goes_there = std::ranges::any_of(
        use.places, [&](const TouchedBytes& place) { return objects.contains(place.object); });
    if (goes_there)
      beyond_[{use.thread, use.step}] = "accesses of different sizes to the same memory";
    return goes_there;
  });
}

void MuUses::widen(ObjectIndex object, std::uint32_t bytes) {
  least_[object] = bytes;
  settle();
}

std::optional<std::uint32_t> MuUses::offset(const MuUse& use) const {
  std::optional<std::uint32_t> result;
  for (std::size_t i = 0; i < use.places.size(); ++i) {
    std::uint64_t here = 0;
    if (use.units[i].bytes != use.bytes) {
      if (even_.contains(use.places[i].object)) return std::nullopt;
      here = static_cast<std::uint64_t>(use.places[i].first) - use.units[i].first;
    }
    if (result && *result != here) return std::nullopt;
    result = static_cast<std::uint32_t>(here);
  }
  return result;
}

}  // namespace heddle::sequentialize
