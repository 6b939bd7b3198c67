#include "passes/future_accesses.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.hpp"
#include "ir/arithmetic.hpp"
#include "passes/liveness.hpp"
#include "passes/operands.hpp"

namespace heddle::passes {

using namespace ir;

namespace {

constexpr std::size_t most_bounds = 64;             // of one object
constexpr std::uint64_t most_work = 50'000'000;     // rows looked at
constexpr std::uint64_t most_bytes = 256ULL << 20;  // for all rows

bool writes(const Statement& statement) {
  return !std::holds_alternative<Load>(statement) && !std::holds_alternative<Await>(statement) &&
         !std::holds_alternative<ObjectSize>(statement);
}

bool touches_whole_object(const Statement& statement) {
  return std::holds_alternative<Free>(statement) || std::holds_alternative<Clobber>(statement) ||
         std::holds_alternative<ObjectSize>(statement);
}

}  // namespace

bool AccessSet::add(const AccessSet& more) {
  bool news = (more.anything && !anything) || (more.spawns && !spawns) ||
              (more.ends_process && !ends_process);
  anything = anything || more.anything;
  spawns = spawns || more.spawns;
  ends_process = ends_process || more.ends_process;
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    news = news || (more.reads_[i] & ~reads_[i]) != 0;
    reads_[i] |= more.reads_[i];
  }
  return news;
}

bool FutureAccesses::Row::add(const Row& more) {
  const bool news = (more.through_parameters & ~through_parameters) != 0;
  through_parameters |= more.through_parameters;
  return cells.add(more.cells) || news;
}

FutureAccesses::FutureAccesses(const Program& program, const PointsTo& points_to,
                               const Sharedness& sharedness)
    : program_(program),
      points_to_(points_to),
      gave_up_(points_to.gave_up()),
      allocation_cells_(program.edges().size()),
      position_(program.locations().size()) {
  if (gave_up_) return;
  for (const Function& function : program.functions())
    for (std::uint32_t i = 0; i < function.locations.size(); ++i)
      position_[function.locations[i].value] = i;
  find_stable_parameters();
  make_cells(sharedness);
  std::size_t count = 0;
  for (const Instance& instance : points_to_.instances()) {
    first_row_.push_back(count);
    count += program.function(instance.function).locations.size();
  }
  const std::uint64_t row_bytes = sizeof(Row) + cell_count_ / 4 + 32;
  gave_up_ = count * row_bytes > most_bytes;
  if (gave_up_) return;
  rows_.assign(count, Row{AccessSet(cell_count_)});
  parameters_.resize(points_to_.instances().size());
  solve();
}

// A parameter that nobody assigns to keeps its value; so does a register that is written once and
// never read before, as a copy of something that keeps its value.
void FutureAccesses::find_stable_parameters() {
  stable_.assign(program_.registers().size(), 0);
  copy_of_.assign(program_.registers().size(), std::nullopt);
  std::vector<std::uint32_t> written(program_.registers().size(), 0);
  for (const Location& location : program_.locations())
    for (const EdgeId edge : location.out) {
      const Statement& statement = program_.edge(edge).statement;
      const auto to = written_register(statement);
      if (!to) continue;
      ++written[to->value];
      if (const auto* assign = std::get_if<Assign>(&statement)) copy_of_[to->value] = assign->value;
    }
  for (std::uint32_t i = 0; i < program_.functions().size(); ++i) {
    const Function& function = program_.function(FunId{i});
    const Liveness liveness(program_, FunId{i});
    for (const RegId parameter : function.parameters)
      stable_[parameter.value] = written[parameter.value] == 0;
    for (const RegId reg : function.registers)
      if (written[reg.value] != 1 || liveness.live(function.entry, reg))
        copy_of_[reg.value] = std::nullopt;
  }
}

// ---- cells -----------------------------------------------------------------------

// Nobody else touches what is not shared, so its cells would never be asked for.
bool FutureAccesses::shared(const AbstractObject& object, const Sharedness& sharedness) const {
  switch (object.kind) {
    case ObjectKind::global:
      return sharedness.global_may_be_shared(object.global);
    case ObjectKind::allocation:
      return sharedness.object_may_be_shared(object.allocation);
    case ObjectKind::function:
      return false;
  }
  return true;
}

void FutureAccesses::make_cells(const Sharedness& sharedness) {
  std::vector<std::set<std::int64_t>> bounds(points_to_.objects().size());
  std::vector<std::map<EdgeId, Touched>> touched(points_to_.instances().size());
  for (InstanceId i = 0; i < points_to_.instances().size(); ++i)
    for (const LocId at : program_.function(points_to_.instances()[i].function).locations)
      for (const EdgeId edge : program_.out(at)) {
        if (!accessed_address(program_.edge(edge).statement)) continue;
        const Touched& found = touched[i][edge] = points_to_.touched(i, edge);
        for (const TouchedBytes& bytes : found.bytes) {
          if (bytes.whole) continue;
          bounds[bytes.object].insert(bytes.first);
          bounds[bytes.object].insert(bytes.last + 1);
        }
      }
  objects_.resize(points_to_.objects().size());
  for (ObjectIndex i = 0; i < objects_.size(); ++i) {
    const AbstractObject& object = points_to_.objects()[i];
    if (!shared(object, sharedness)) continue;
    ObjectCells& cells = objects_[i];
    if (bounds[i].size() > 2 && bounds[i].size() <= most_bounds)
      cells.bounds.assign(bounds[i].begin(), bounds[i].end());
    else
      cells.bounds = {INT64_MIN, INT64_MAX};
    cells.first = static_cast<CellIndex>(cell_count_);
    cell_count_ += cells.bounds.size() - 1;
    std::vector<CellIndex>* all = nullptr;
    if (object.kind == ObjectKind::allocation) all = &allocation_cells_[object.allocation.value];
    if (object.kind == ObjectKind::global &&
        program_.global(object.global).storage == Storage::thread)
      all = &thread_local_cells_;
    if (all != nullptr) add_cells({.object = i, .whole = true}, *all);
  }
  accesses_.resize(touched.size());
  for (InstanceId i = 0; i < touched.size(); ++i)
    for (const auto& [edge, found] : touched[i]) {
      Cells cells;
      if (!found.anything) cells.emplace();
      for (const TouchedBytes& bytes : found.bytes)
        if (cells) add_cells(bytes, *cells);
      if (!cells || !cells->empty()) accesses_[i].emplace(edge, std::move(cells));
    }
}

void FutureAccesses::add_cells(const TouchedBytes& bytes, std::vector<CellIndex>& to) const {
  const ObjectCells& object = objects_[bytes.object];
  for (std::size_t i = 0; i + 1 < object.bounds.size(); ++i)
    if (bytes.whole || (object.bounds[i] <= bytes.last && bytes.first < object.bounds[i + 1]))
      to.push_back(object.first + static_cast<CellIndex>(i));
}

const FutureAccesses::Cells& FutureAccesses::cells(InstanceId instance, EdgeId access) const {
  static const Cells none{std::in_place};
  const auto at = accesses_[instance].find(access);
  return at == accesses_[instance].end() ? none : at->second;
}

// ---- parameters --------------------------------------------------------------------

// The address as a parameter plus a constant, where it is one for sure.
std::optional<FutureAccesses::Derived> FutureAccesses::derived_from_parameter(
    FunId function, ExprId address) const {
  const std::uint64_t pointer_bytes = program_.data_model() == DataModel::lp64 ? 8 : 4;
  constexpr int most_copies = 8;
  int copies = 0;
  std::int64_t offset = 0;
  for (ExprId at = address;;) {
    const Expr& expr = program_.expr(at);
    const Type& type = program_.type(expr.type);
    if (type.size != pointer_bytes || type.kind == TypeKind::floating) return std::nullopt;
    switch (expr.op) {
      case Op::reg: {
        const RegId reg{static_cast<std::uint32_t>(expr.payload)};
        if (copy_of_[reg.value] && ++copies < most_copies) {
          at = *copy_of_[reg.value];
          break;
        }
        if (stable_[reg.value] == 0) return std::nullopt;
        CHECK(program_.reg(reg).function == function, "an expression reads its own registers");
        return Derived{program_.reg(reg).index, offset};
      }
      case Op::cast:
        at = expr.args[0];
        break;
      case Op::field: {
        const Type& record = program_.type(program_.pointee(expr.args[0]));
        offset += static_cast<std::int64_t>(record.fields[expr.payload].offset);
        at = expr.args[0];
        break;
      }
      case Op::ptr_add: {
        const Expr& index = program_.expr(expr.args[1]);
        if (index.op != Op::constant) return std::nullopt;
        const Type& index_type = program_.type(index.type);
        const std::int64_t count = index_type.is_signed ? as_signed(index_type, index.payload)
                                                        : static_cast<std::int64_t>(index.payload);
        offset += count * static_cast<std::int64_t>(program_.type(program_.pointee(at)).size);
        at = expr.args[0];
        break;
      }
      default:
        return std::nullopt;
    }
  }
}

// nullopt: there are too many.
std::optional<std::uint32_t> FutureAccesses::number_of(InstanceId instance, ParameterAccess access,
                                                       const std::vector<CellIndex>& cells) {
  Parameters& known = parameters_[instance];
  const auto at = std::find(known.accesses.begin(), known.accesses.end(), access);
  const auto number = static_cast<std::uint32_t>(at - known.accesses.begin());
  if (at == known.accesses.end()) {
    if (known.accesses.size() == most_parameter_accesses) return std::nullopt;
    known.accesses.push_back(access);
    known.cells.emplace_back();
  }
  std::vector<CellIndex>& all = known.cells[number];
  const std::size_t before = all.size();
  all.insert(all.end(), cells.begin(), cells.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  parameters_changed_ = parameters_changed_ || all.size() != before;
  return number;
}

// ---- the fixpoint --------------------------------------------------------------------

void FutureAccesses::solve() {
  const std::size_t count = points_to_.instances().size();
  std::vector<std::vector<InstanceId>> callers(count);
  for (InstanceId i = 0; i < count; ++i)
    for (const LocId at : program_.function(points_to_.instances()[i].function).locations)
      for (const EdgeId edge : program_.out(at))
        for (const InstanceId callee : points_to_.callees(i, edge)) callers[callee].push_back(i);
  std::vector<InstanceId> work;
  std::vector<char> waiting(count, 1);
  for (InstanceId i = 0; i < count; ++i) work.push_back(i);
  while (!work.empty() && !gave_up_) {
    const InstanceId next = work.back();
    work.pop_back();
    waiting[next] = 0;
    if (!update(next)) continue;
    for (const InstanceId caller : callers[next]) {
      if (waiting[caller] == 0) work.push_back(caller);
      waiting[caller] = 1;
    }
  }
}

// Whether callers have to look again.
bool FutureAccesses::update(InstanceId instance) {
  const Function& function = program_.function(points_to_.instances()[instance].function);
  Row always{AccessSet(cell_count_)};
  for (const CellIndex cell : thread_local_cells_) always.cells.add_write(cell);
  for (const LocId at : function.locations)
    for (const EdgeId edge : program_.out(at)) {
      const auto* alloc = std::get_if<Alloc>(&program_.edge(edge).statement);
      if (alloc == nullptr || (alloc->kind != AllocKind::stack && alloc->kind != AllocKind::frame))
        continue;
      for (const CellIndex cell : allocation_cells_[edge.value]) always.cells.add_write(cell);
    }
  bool entry_changed = false;
  parameters_changed_ = false;
  std::vector<Row> own;  // what no later round changes
  for (const LocId at : function.locations) {
    Row& here = own.emplace_back(always);
    for (const EdgeId edge : program_.out(at)) {
      add_own(instance, edge, here);
      for (const InstanceId callee : points_to_.callees(instance, edge))
        add_callee(instance, edge, callee, here);
    }
  }
  for (bool changed = true; changed && !gave_up_;) {
    changed = false;
    work_ += function.locations.size() * (1 + cell_count_ / 256);
    gave_up_ = work_ > most_work;
    for (std::size_t i = function.locations.size(); i-- > 0;) {
      const LocId at = function.locations[i];
      bool news = row(instance, at).add(own[i]);
      for (const EdgeId edge : program_.out(at))
        if (!ends_path(program_.edge(edge).statement))
          news = row(instance, at).add(row(instance, program_.edge(edge).to)) || news;
      changed = changed || news;
      entry_changed = entry_changed || (news && at == function.entry);
    }
  }
  return entry_changed || parameters_changed_;
}

void FutureAccesses::add_own(InstanceId instance, EdgeId edge, Row& to) {
  const Statement& statement = program_.edge(edge).statement;
  if (std::holds_alternative<Spawn>(statement)) to.cells.spawns = true;
  if (const auto* exit = std::get_if<Exit>(&statement))
    to.cells.ends_process = to.cells.ends_process || exit->scope != ExitScope::thread;
  if (instance == 0 && std::holds_alternative<Return>(statement)) to.cells.ends_process = true;
  const std::optional<ExprId> address = accessed_address(statement);
  if (!address) return;
  const Cells& touched = cells(instance, edge);
  if (!touched) {
    to.cells.anything = true;
    return;
  }
  if (touched->empty()) return;
  if (!touches_whole_object(statement)) {
    const FunId function = points_to_.instances()[instance].function;
    if (const auto derived = derived_from_parameter(function, *address)) {
      const ParameterAccess access{derived->parameter, derived->offset,
                                   program_.type(program_.pointee(*address)).size,
                                   writes(statement)};
      if (const auto number = number_of(instance, access, *touched)) {
        to.through_parameters |= std::uint64_t{1} << *number;
        return;
      }
    }
  }
  for (const CellIndex cell : *touched) {
    if (writes(statement))
      to.cells.add_write(cell);
    else
      to.cells.add_read(cell);
  }
}

void FutureAccesses::add_callee(InstanceId instance, EdgeId edge, InstanceId callee, Row& to) {
  const Row& entry = row(callee, program_.function(points_to_.instances()[callee].function).entry);
  to.cells.add(entry.cells);
  const Statement& statement = program_.edge(edge).statement;
  std::vector<ExprId> args;
  if (const auto* call = std::get_if<Call>(&statement)) args = call->args;
  if (const auto* spawn = std::get_if<Spawn>(&statement)) args = {spawn->argument};
  const FunId function = points_to_.instances()[instance].function;
  // By index: a call of itself may add to the list.
  for (std::size_t i = 0; i < parameters_[callee].accesses.size(); ++i) {
    if ((entry.through_parameters >> i & 1) == 0) continue;
    const ParameterAccess access = parameters_[callee].accesses[i];
    const std::vector<CellIndex> touched = parameters_[callee].cells[i];
    if (access.parameter < args.size()) {
      if (const auto derived = derived_from_parameter(function, args[access.parameter])) {
        const ParameterAccess mine{derived->parameter, derived->offset + access.offset, access.size,
                                   access.writes};
        if (const auto number = number_of(instance, mine, touched)) {
          to.through_parameters |= std::uint64_t{1} << *number;
          continue;
        }
      }
    }
    for (const CellIndex cell : touched) {
      if (access.writes)
        to.cells.add_write(cell);
      else
        to.cells.add_read(cell);
    }
  }
}

FutureAccesses::Future FutureAccesses::from(InstanceId instance, LocId at) const {
  const Row& found = rows_[first_row_[instance] + position_[at.value]];
  return {found.cells, found.through_parameters};
}

}  // namespace heddle::passes
