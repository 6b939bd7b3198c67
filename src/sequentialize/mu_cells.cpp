#include "sequentialize/mu_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace heddle::sequentialize {

using namespace ir;
using passes::ObjectIndex;
using passes::ObjectKind;

MuCells::MuCells(const Program& program, const passes::PointsTo& points_to,
                 const passes::Sharedness& sharedness, const std::vector<ThreadCode>& threads,
                 const PrivateAccesses& privates, const MuOptions& options)
    : program_(program),
      points_to_(points_to),
      threads_(threads),
      privates_(privates),
      options_(options),
      uses_(program, points_to, sharedness, threads, privates) {
  if (sharedness.thread_locals_may_be_shared())
    throw Rejected("a thread may touch another one's thread-local variables");
  make_cells();
  place_accesses();
}

bool MuCells::repeated(ThreadIndex thread) const {
  for (ThreadIndex at = thread; threads_[at].creator; at = *threads_[at].creator) {
    const ThreadCode& creator = threads_[*threads_[at].creator];
    if (creator.points[creator.steps[threads_[at].created_by].from].in_cycle) return true;
  }
  return false;
}

// Whoever reads it finds the same, whenever that is.
bool MuCells::quiet(const MuUnit& unit) const {
  if (options_.quiet_cells == Switch::off) return false;
  bool read = false, written = false, alone = true;
  const ThreadIndex first = uses_.all()[users_.at(unit).front()].thread;
  for (const std::size_t i : users_.at(unit)) {
    const MuUse& use = uses_.all()[i];
    read = read || use.reads;
    written = written || use.writes;
    alone = alone && use.thread == first;
  }
  // A read may come before the block is there.
  const bool there = options_.later_blocks == Switch::off ||
                     points_to_.objects()[unit.object].kind != ObjectKind::allocation;
  return !read || (there && (!written || (alone && !repeated(first))));
}

std::optional<ThreadIndex> MuCells::only_writer(const MuUnit& unit) const {
  if (options_.quiet_cells == Switch::off) return std::nullopt;
  std::optional<ThreadIndex> result;
  for (const std::size_t i : users_.at(unit)) {
    const MuUse& use = uses_.all()[i];
    if (!use.writes) continue;
    if (result && *result != use.thread) return std::nullopt;
    result = use.thread;
  }
  if (result && repeated(*result)) return std::nullopt;
  return result;
}

// ---- cells -----------------------------------------------------------------------

std::string MuCells::name_of(ObjectIndex id) const {
  const passes::AbstractObject& object = points_to_.objects()[id];
  if (object.kind == ObjectKind::global) return program_.global(object.global).name;
  const auto& alloc = std::get<Alloc>(program_.edge(object.allocation).statement);
  return alloc.name.empty() ? "block" : alloc.name;
}

MuCells::Allocations MuCells::allocations(ObjectIndex object) const {
  const passes::AbstractObject& known = points_to_.objects()[object];
  Allocations result;
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread) {
    const ThreadCode& code = threads_[thread];
    for (StepIndex id = 0; id < code.steps.size(); ++id) {
      if (code.steps[id].edge != known.allocation) continue;
      const CodePoint& from = code.points[code.steps[id].from];
      if (points_to_.instances()[code.frames[from.frame].instance].context != known.context)
        continue;
      result.steps.emplace_back(thread, id);
      result.repeated = result.repeated || from.in_cycle || repeated(thread);
    }
  }
  return result;
}

std::optional<ObjectIndex> MuCells::object_of(ThreadIndex thread, StepIndex allocation) const {
  const ThreadCode& code = threads_[thread];
  const CodeStep& step = code.steps[allocation];
  const CodeFrame& frame = code.frames[code.points[step.from].frame];
  const EdgeId context = points_to_.instances()[frame.instance].context;
  const auto objects = points_to_.objects();
  for (ObjectIndex i = 0; i < objects.size(); ++i)
    if (objects[i].kind == ObjectKind::allocation && objects[i].allocation == step.edge &&
        objects[i].context == context)
      return i;
  return std::nullopt;
}

std::optional<std::uint64_t> MuCells::constant_size(ObjectIndex object) const {
  const auto& alloc =
      std::get<Alloc>(program_.edge(points_to_.objects()[object].allocation).statement);
  const Expr& size = program_.expr(alloc.size);
  if (size.op != Op::constant) return std::nullopt;
  return size.payload;
}

std::optional<MuCells::KnownObject> MuCells::known_object(ObjectIndex id) const {
  const passes::AbstractObject& object = points_to_.objects()[id];
  if (object.kind == ObjectKind::global)
    return KnownObject{object.global, std::nullopt,
                       program_.type(program_.global(object.global).type).size};
  const std::optional<std::uint64_t> size = constant_size(id);
  if (!size || options_.main_objects == Switch::off) return std::nullopt;
  const Allocations found = allocations(id);
  if (found.repeated || found.steps.size() != 1 || found.steps[0].first != 0) return std::nullopt;
  const StepIndex step = found.steps[0].second;
  if (privates_.concurrent(0, threads_[0].steps[step].from)) return std::nullopt;
  return KnownObject{std::nullopt, step, *size};
}

// Whether its cells are known beforehand.
bool MuCells::make_known(const MuUnit& unit) {
  const std::optional<KnownObject> object = known_object(unit.object);
  if (!object) return false;
  const std::uint64_t period = uses_.is_cut_evenly(unit.object)
                                   ? unit.bytes
                                   : std::min(points_to_.period(unit.object), object->size);
  const std::uint64_t count = period == 0 ? 0 : object->size / period;
  if (count == 0 || count > options_.largest_array) return false;
  const std::optional<ThreadIndex> writer = only_writer(unit);
  const auto add = [&](std::uint64_t offset, std::uint32_t bytes) {
    known_[unit].push_back(static_cast<CellIndex>(cells_.size()));
    MuCell cell;
    cell.name = name_of(unit.object);
    cell.bytes = bytes;
    cell.global = object->global;
    cell.made_by = object->made_by;
    cell.offset = offset;
    cell.element = count > 1;
    cell.writer = writer;
    if (cell.element || cell.offset > 0) cell.name = fmt::format("{}_{}", cell.name, cell.offset);
    cells_.push_back(std::move(cell));
  };
  for (std::uint64_t i = 0; i < count; ++i) add(i * period + unit.first, unit.bytes);
  if (!uses_.is_cut_evenly(unit.object)) return true;
  // What is left at the end is less than a unit.
  std::uint64_t end = count * period;
  for (std::uint32_t bytes = unit.bytes / 2; bytes > 0; bytes /= 2) {
    if (end + bytes > object->size) continue;
    add(end, bytes);
    end += bytes;
  }
  return true;
}

// How many cells to keep ready for memory that is found: one, where there is but one block.
std::uint32_t MuCells::entries(const MuUnit& unit) const {
  const passes::AbstractObject& object = points_to_.objects()[unit.object];
  if (object.kind != ObjectKind::allocation || uses_.is_cut_evenly(unit.object))
    return options_.found_cells;
  const Allocations found = allocations(unit.object);
  const std::optional<std::uint64_t> size = constant_size(unit.object);
  const bool element = !size || points_to_.period(unit.object) < *size;
  if (found.repeated || element) return options_.found_cells;
  return std::min(static_cast<std::uint32_t>(found.steps.size()), options_.found_cells);
}

// An access that may go to a cell goes to a cell wherever it goes.
std::set<MuUnit> MuCells::noticed() const {
  std::set<MuUnit> result;
  for (const auto& [unit, users] : users_)
    if (!quiet(unit)) result.insert(unit);
  for (bool news = true; news;) {
    news = false;
    for (const MuUse& use : uses_.all()) {
      const auto in = [&](const MuUnit& unit) { return result.contains(unit); };
      if (std::ranges::none_of(use.units, in)) continue;
      for (const MuUnit& unit : use.units) news = result.insert(unit).second || news;
    }
  }
  return result;
}

void MuCells::make_cells() {
  for (bool again = true; again;) {
    users_.clear();
    cells_.clear();
    known_.clear();
    found_.clear();
    for (std::size_t i = 0; i < uses_.all().size(); ++i)
      for (const MuUnit& unit : uses_.all()[i].units) users_[unit].push_back(i);
    if (options_.in_memory()) return;
    for (const MuUnit& unit : noticed())
      if (!make_known(unit)) found_[unit] = {};
    const std::vector<std::vector<MuUnit>> supplies = this->supplies();
    again = widen(supplies);
    if (!again) make_found(supplies);
  }
}

void MuCells::place_accesses() {
  for (const ThreadCode& code : threads_) accesses_.emplace_back(code.steps.size());
  for (const auto& [at, reason] : uses_.beyond()) {
    MuAccess& access = accesses_[at.first][at.second];
    access.direct = false;
    access.in_memory = options_.in_memory();
    if (!access.in_memory) access.beyond = reason;
  }
  direct_ = uses_.private_accesses();
  if (options_.in_memory()) return place_in_memory();
  for (const MuUse& use : uses_.all()) {
    MuAccess& access = accesses_[use.thread][use.step];
    access.bytes = use.bytes;
    access.offset = uses_.offset(use);
    access.anywhere = std::ranges::any_of(
        use.units, [&](const MuUnit& unit) { return uses_.is_cut_evenly(unit.object); });
    std::set<CellIndex> known, found;
    for (const MuUnit& unit : use.units) {
      if (const auto at = known_.find(unit); at != known_.end())
        known.insert(at->second.begin(), at->second.end());
      else if (const auto there = found_.find(unit); there != found_.end())
        found.insert(there->second.begin(), there->second.end());
    }
    for (const CellIndex cell : known)
      if (cells_[cell].bytes >= use.bytes) access.known.push_back(cell);
    access.found.assign(found.begin(), found.end());
    access.direct = access.known.empty() && access.found.empty();
    if (access.direct) ++direct_;
  }
}

void MuCells::place_in_memory() {
  const std::set<MuUnit> noticed = this->noticed();
  for (const MuUse& use : uses_.all()) {
    MuAccess& access = accesses_[use.thread][use.step];
    access.in_memory =
        std::ranges::any_of(use.units, [&](const MuUnit& unit) { return noticed.contains(unit); });
    access.direct = !access.in_memory;
    if (access.direct) ++direct_;
  }
}

// ---- cells that are found ----------------------------------------------------------

// Units that one access may touch take their cells from one supply, so that an address has at most
// one.
std::vector<std::vector<MuUnit>> MuCells::supplies() const {
  std::vector<MuUnit> units;
  std::map<MuUnit, std::size_t> number;
  for (const auto& [unit, none] : found_) {
    number[unit] = units.size();
    units.push_back(unit);
  }
  std::vector<std::size_t> parent(units.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t at) {
    while (parent[at] != at) at = parent[at];
    return at;
  };
  for (const MuUse& use : uses_.all()) {
    std::optional<std::size_t> first;
    for (const MuUnit& unit : use.units) {
      const auto at = number.find(unit);
      if (at == number.end()) continue;
      if (first) parent[root(at->second)] = root(*first);
      first = at->second;
    }
  }
  std::map<std::size_t, std::vector<MuUnit>> result;
  for (std::size_t i = 0; i < units.size(); ++i) result[root(i)].push_back(units[i]);
  std::vector<std::vector<MuUnit>> all;
  for (auto& [first, supply] : result) all.push_back(std::move(supply));
  return all;
}

// Cells of one supply are of one size. Whether some were not.
bool MuCells::widen(const std::vector<std::vector<MuUnit>>& supplies) {
  for (const std::vector<MuUnit>& supply : supplies) {
    const std::uint32_t most = std::ranges::max(supply, {}, &MuUnit::bytes).bytes;
    for (const MuUnit& unit : supply) {
      if (unit.bytes == most) continue;
      uses_.widen(unit.object, most);
      return true;
    }
  }
  return false;
}

void MuCells::make_found(const std::vector<std::vector<MuUnit>>& supplies) {
  for (const std::vector<MuUnit>& supply : supplies) {
    std::vector<CellIndex> cells;
    for (const MuUnit& unit : supply)
      for (std::uint32_t entry = entries(unit); entry > 0; --entry) {
        cells.push_back(static_cast<CellIndex>(cells_.size()));
        MuCell cell;
        cell.name = name_of(unit.object);
        cell.bytes = unit.bytes;
        cell.element = true;
        cells_.push_back(std::move(cell));
      }
    for (const MuUnit& unit : supply) found_[unit] = cells;
  }
}

std::vector<CellIndex> MuCells::found_in(ObjectIndex object) const {
  std::set<CellIndex> result;
  for (const auto& [unit, cells] : found_)
    if (unit.object == object) result.insert(cells.begin(), cells.end());
  return {result.begin(), result.end()};
}

}  // namespace heddle::sequentialize
