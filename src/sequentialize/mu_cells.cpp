#include "sequentialize/mu_cells.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "passes/operands.hpp"

namespace heddle::sequentialize {

using namespace ir;
using passes::ObjectIndex;
using passes::ObjectKind;

MuCells::MuCells(const Program& program, const passes::PointsTo& points_to,
                 const passes::Sharedness& sharedness, const std::vector<ThreadCode>& threads,
                 const PrivateAccesses& privates, const MuOptions& options)
    : program_(program),
      points_to_(points_to),
      sharedness_(sharedness),
      threads_(threads),
      privates_(privates),
      options_(options) {
  if (sharedness.thread_locals_may_be_shared())
    throw Rejected("a thread may touch another one's thread-local variables");
  for (const ThreadCode& code : threads_) accesses_.emplace_back(code.steps.size());
  collect();
  settle_ranges();
  make_cells();
}

// ---- who touches what ------------------------------------------------------------

void MuCells::collect() {
  for (ThreadIndex thread = 0; thread < threads_.size(); ++thread)
    for (StepIndex step = 0; step < threads_[thread].steps.size(); ++step) add_use(thread, step);
}

void MuCells::add_use(ThreadIndex thread, StepIndex id) {
  const ThreadCode& code = threads_[thread];
  const CodeStep& step = code.steps[id];
  const Statement& statement = program_.edge(step.edge).statement;
  Use use{thread, id, false, false, {}};
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
    ++direct_;
    return;
  }
  const Type& type = program_.type(program_.pointee(*passes::accessed_address(statement)));
  const passes::InstanceId instance = code.frames[code.points[step.from].frame].instance;
  const passes::Touched touched = points_to_.touched(instance, step.edge);
  if (touched.anything) throw Rejected("an access through a pointer of which nothing is known");
  if (type.kind == TypeKind::floating)
    throw Rejected("floating-point numbers in memory that threads share");
  const auto bytes = static_cast<std::uint32_t>(type.size);
  for (const passes::TouchedBytes& at : touched.bytes) {
    if (points_to_.objects()[at.object].kind == ObjectKind::function) continue;
    if (at.whole) {
      const auto [known, fresh] = elements_.try_emplace(at.object, bytes);
      if (!fresh && known->second != bytes)
        throw Rejected("accesses of different sizes at places that are not known");
    }
    use.pieces.push_back({at.object, {static_cast<std::uint64_t>(at.first), bytes}});
    if (at.whole) use.pieces.back().second.first = 0;
  }
  uses_.push_back(std::move(use));
}

// Where some access may go anywhere, all of them are elements of one size.
void MuCells::settle_ranges() {
  std::map<ObjectIndex, std::set<Range>> ranges;
  for (std::size_t i = 0; i < uses_.size(); ++i)
    for (Piece& piece : uses_[i].pieces) {
      const auto any = elements_.find(piece.first);
      if (any != elements_.end()) {
        if (any->second != piece.second.bytes || piece.second.first % any->second != 0)
          throw Rejected("accesses of different sizes to the same memory");
        piece.second.first = 0;
      }
      ranges[piece.first].insert(piece.second);
      users_[piece].push_back(i);
    }
  for (const auto& [object, all] : ranges) {
    std::uint64_t end = 0;
    for (const Range& range : all) {
      if (range.first < end) throw Rejected("accesses of different sizes to the same memory");
      end = range.first + range.bytes;
    }
  }
}

bool MuCells::repeated(ThreadIndex thread) const {
  for (ThreadIndex at = thread; threads_[at].creator; at = *threads_[at].creator) {
    const ThreadCode& creator = threads_[*threads_[at].creator];
    if (creator.points[creator.steps[threads_[at].created_by].from].in_cycle) return true;
  }
  return false;
}

// Whoever reads it finds the same, whenever that is.
bool MuCells::quiet(const Piece& piece) const {
  if (options_.quiet_cells == Switch::off) return false;
  bool read = false, written = false, alone = true;
  const ThreadIndex first = uses_[users_.at(piece).front()].thread;
  for (const std::size_t i : users_.at(piece)) {
    read = read || uses_[i].reads;
    written = written || uses_[i].writes;
    alone = alone && uses_[i].thread == first;
  }
  // A read may come before the block is there.
  const bool there = options_.later_blocks == Switch::off ||
                     points_to_.objects()[piece.first].kind != ObjectKind::allocation;
  return !read || (there && (!written || (alone && !repeated(first))));
}

std::optional<ThreadIndex> MuCells::only_writer(const Piece& piece) const {
  if (options_.quiet_cells == Switch::off) return std::nullopt;
  std::optional<ThreadIndex> result;
  for (const std::size_t i : users_.at(piece)) {
    if (!uses_[i].writes) continue;
    if (result && *result != uses_[i].thread) return std::nullopt;
    result = uses_[i].thread;
  }
  if (result && repeated(*result)) return std::nullopt;
  return result;
}

// ---- cells -----------------------------------------------------------------------

std::string MuCells::name_of(const Piece& piece) const {
  const passes::AbstractObject& object = points_to_.objects()[piece.first];
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
bool MuCells::make_known(const Piece& piece) {
  const std::optional<KnownObject> object = known_object(piece.first);
  if (!object) return false;
  const auto any = elements_.find(piece.first);
  const std::uint64_t period =
      any != elements_.end() ? any->second : std::min(points_to_.period(piece.first), object->size);
  const std::uint64_t count = period == 0 ? 0 : object->size / period;
  if (count == 0 || count > options_.largest_array) return false;
  const std::optional<ThreadIndex> writer = only_writer(piece);
  for (std::uint64_t i = 0; i < count; ++i) {
    known_[piece].push_back(static_cast<CellIndex>(cells_.size()));
    MuCell cell;
    cell.name = name_of(piece);
    cell.bytes = piece.second.bytes;
    cell.global = object->global;
    cell.made_by = object->made_by;
    cell.offset = i * period + piece.second.first;
    cell.element = count > 1;
    cell.writer = writer;
    if (cell.element || cell.offset > 0) cell.name = fmt::format("{}_{}", cell.name, cell.offset);
    cells_.push_back(std::move(cell));
  }
  return true;
}

// How many cells to keep ready for memory that is found: one, where there is but one block.
std::uint32_t MuCells::entries(const Piece& piece) const {
  const passes::AbstractObject& object = points_to_.objects()[piece.first];
  if (object.kind != ObjectKind::allocation || elements_.contains(piece.first))
    return options_.found_cells;
  const Allocations found = allocations(piece.first);
  const std::optional<std::uint64_t> size = constant_size(piece.first);
  const bool element = !size || points_to_.period(piece.first) < *size;
  if (found.repeated || element) return options_.found_cells;
  return std::min(static_cast<std::uint32_t>(found.steps.size()), options_.found_cells);
}

// An access that may go to a cell goes to a cell wherever it goes.
std::set<MuCells::Piece> MuCells::noticed() const {
  std::set<Piece> result;
  for (const auto& [piece, users] : users_)
    if (!quiet(piece)) result.insert(piece);
  for (bool news = true; news;) {
    news = false;
    for (const Use& use : uses_) {
      const auto in = [&](const Piece& piece) { return result.contains(piece); };
      if (std::none_of(use.pieces.begin(), use.pieces.end(), in)) continue;
      for (const Piece& piece : use.pieces) news = result.insert(piece).second || news;
    }
  }
  return result;
}

void MuCells::make_cells() {
  for (const Piece& piece : noticed()) {
    if (!make_known(piece)) found_[piece] = {};
  }
  join_found();
  for (Use& use : uses_) {
    MuAccess& access = accesses_[use.thread][use.step];
    std::set<CellIndex> found;
    for (const Piece& piece : use.pieces) {
      if (const auto at = known_.find(piece); at != known_.end()) {
        access.known.insert(access.known.end(), at->second.begin(), at->second.end());
      } else if (const auto there = found_.find(piece); there != found_.end()) {
        found.insert(there->second.begin(), there->second.end());
      }
    }
    access.found.assign(found.begin(), found.end());
    access.direct = access.known.empty() && access.found.empty();
    if (access.direct) ++direct_;
  }
}

// Pieces that one access may touch take their cells from one supply, so that an address has at
// most one.
void MuCells::join_found() {
  std::vector<Piece> pieces;
  std::map<Piece, std::size_t> number;
  for (const auto& [piece, none] : found_) {
    number[piece] = pieces.size();
    pieces.push_back(piece);
  }
  std::vector<std::size_t> parent(pieces.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t at) {
    while (parent[at] != at) at = parent[at];
    return at;
  };
  for (const Use& use : uses_) {
    std::optional<std::size_t> first;
    for (const Piece& piece : use.pieces) {
      const auto at = number.find(piece);
      if (at == number.end()) continue;
      if (first) parent[root(at->second)] = root(*first);
      first = at->second;
    }
  }
  std::map<std::size_t, std::vector<CellIndex>> supplies;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::vector<CellIndex>& supply = supplies[root(i)];
    for (std::uint32_t entry = entries(pieces[i]); entry > 0; --entry) {
      supply.push_back(static_cast<CellIndex>(cells_.size()));
      MuCell cell;
      cell.name = name_of(pieces[i]);
      cell.bytes = pieces[i].second.bytes;
      cell.element = true;
      cells_.push_back(std::move(cell));
    }
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) found_[pieces[i]] = supplies[root(i)];
}

std::vector<CellIndex> MuCells::found_in(ObjectIndex object) const {
  std::set<CellIndex> result;
  for (const auto& [piece, cells] : found_)
    if (piece.first == object) result.insert(cells.begin(), cells.end());
  return {result.begin(), result.end()};
}

}  // namespace heddle::sequentialize
