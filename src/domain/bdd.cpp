#include "domain/bdd.hpp"

#include <algorithm>
#include <functional>

#include "base/check.hpp"
#include "smt/fold.hpp"

namespace heddle::domain {

using smt::Bdd;

namespace {

constexpr std::size_t most_tuples = 2048;
// Values of wide cells: from -64 to 191.
constexpr std::uint64_t bias = 64;

bool is_narrow(std::uint32_t width) { return width <= BddSlots::bits; }

std::uint64_t decoded(std::uint32_t width, std::uint64_t code) {
  return is_narrow(width) ? code : (code - bias) & smt::mask_of(width);
}

class BddDomain final : public Domain {
 public:
  explicit BddDomain(const ir::Program& program) : program_(program) {}
  std::string_view name() const override { return "bdd"; }
  std::unique_ptr<Store> initial() override { return std::make_unique<BddStore>(program_, slots_); }
  Merge merge() const override { return Merge::join; }

 private:
  const ir::Program& program_;
  BddSlots slots_{};
};

}  // namespace

std::unique_ptr<Domain> make_bdd(const ir::Program& program) {
  return std::make_unique<BddDomain>(program);
}

std::optional<int> BddSlots::slot(const Cell& cell) {
  const auto [place, is_new] = slots_.try_emplace(cell);
  if (is_new && next_ < count) place->second = next_++;
  return place->second;
}

std::vector<int> BddSlots::variables(int slot, std::uint32_t width) {
  std::vector<int> result;
  const int used = static_cast<int>(std::min<std::uint32_t>(width, bits));
  for (int bit = 0; bit < used; ++bit) result.push_back(bit * count + slot);
  return result;
}

// ---- the relation ----
std::optional<std::uint64_t> BddStore::encoded(std::uint32_t width, std::uint64_t value) {
  if (is_narrow(width)) return value;
  const std::uint64_t moved = (value + bias) & smt::mask_of(width);
  if (moved > smt::mask_of(BddSlots::bits)) return std::nullopt;
  return moved;
}

std::vector<int> BddStore::variables(const Cell& cell) const {
  const std::optional<int> slot = slots_->slot(cell);
  CHECK(slot, "a related cell has its variables");
  return BddSlots::variables(*slot, cell.width);
}

std::optional<Bdd> BddStore::cube(const Cell& cell, int slot, std::uint64_t value) const {
  const std::optional<std::uint64_t> code = encoded(cell.width, value);
  CHECK(code, "only near values are in the relation");
  std::optional<Bdd> result = Bdd::yes();
  const std::vector<int> numbers = BddSlots::variables(slot, cell.width);
  for (std::size_t bit = numbers.size(); bit-- > 0 && result;) {
    const Bdd variable = Bdd::variable(numbers[bit]);
    result = ((*code >> bit) & 1) != 0 ? both(*result, variable) : except(*result, variable);
  }
  return result;
}

std::vector<Cell> BddStore::cells() const {
  std::vector<Cell> result;
  for (const auto& [cell, tracking] : cells_) result.push_back(cell);
  return result;
}

void BddStore::drop(const Cell& cell) {
  if (!related(cell)) return;
  std::optional<Bdd> rest = exists(relation_, variables(cell));
  // Without room for that nothing at all is known of any cell.
  if (rest) {
    relation_ = std::move(*rest);
    return;
  }
  relation_ = Bdd::yes();
  for (auto& [other, tracking] : cells_)
    if (!is_narrow(other.width)) tracking = Tracking::unknown;
}

void BddStore::forget(const Cell& cell) {
  drop(cell);
  cells_.erase(cell);
}

void BddStore::make_any(const Cell& cell) {
  drop(cell);
  const bool always = is_narrow(cell.width) && slots_->slot(cell);
  cells_[cell] = always ? Tracking::related : Tracking::unknown;
}

void BddStore::make_unknown(const Cell& cell) {
  drop(cell);
  cells_[cell] = Tracking::unknown;
}

// ---- expressions ----
std::optional<BddStore::Tuples> BddStore::tuples(const std::set<Cell>& read) const {
  // By variable: the cell that it belongs to, and its bit there.
  std::map<int, std::pair<Cell, std::size_t>> parts;
  for (const Cell& cell : read) {
    CHECK(holds(cell), "a cell that is read is there");
    if (!related(cell)) continue;
    const std::vector<int> numbers = variables(cell);
    for (std::size_t bit = 0; bit < numbers.size(); ++bit) parts[numbers[bit]] = {cell, bit};
  }
  if (parts.size() > 64) return std::nullopt;
  Tuples result;
  for (const auto& [number, part] : parts) result.variables.push_back(number);
  std::vector<int> hidden;
  for (const auto& [cell, tracking] : cells_)
    if (tracking == Tracking::related && !read.contains(cell))
      for (const int number : variables(cell)) hidden.push_back(number);
  const std::optional<Bdd> projected = exists(relation_, hidden);
  if (!projected) return std::nullopt;
  auto listed = assignments(*projected, result.variables, most_tuples);
  if (!listed) return std::nullopt;
  result.listed = std::move(*listed);
  for (const std::uint64_t bits : result.listed) {
    Tuple values;
    std::size_t at = 0;
    for (const auto& [number, part] : parts)
      values[part.first] |= ((bits >> at++) & 1) << part.second;
    for (auto& [cell, value] : values) value = decoded(cell.width, value);
    result.values.push_back(std::move(values));
  }
  return result;
}

std::optional<std::vector<BddStore::Case>> BddStore::cases(const std::set<Cell>& read,
                                                           const Function& value) const {
  const std::optional<Tuples> all = tuples(read);
  if (!all) return std::nullopt;
  std::map<std::optional<std::uint64_t>, std::vector<std::uint64_t>> by_value;
  for (std::size_t i = 0; i < all->listed.size(); ++i)
    by_value[value(all->values[i])].push_back(all->listed[i]);
  std::vector<Case> result;
  for (const auto& [held, listed] : by_value) {
    std::optional<Bdd> when = Bdd::from_assignments(all->variables, listed);
    if (!when) return std::nullopt;
    result.push_back({held, std::move(*when)});
  }
  return result;
}

// The new value goes into the scratch variables first: the cell may be read by the expression.
bool BddStore::assign_cases(const Cell& to, const std::vector<Case>& list) {
  std::optional<Bdd> effect = Bdd();
  for (const Case& one : list) {
    std::optional<Bdd> part = one.when;
    if (one.value) {
      const std::optional<Bdd> result = cube(to, BddSlots::scratch, *one.value);
      part = result ? both(one.when, *result) : std::nullopt;
    }
    effect = part ? either(*effect, *part) : std::nullopt;
    if (!effect) return false;
  }
  std::optional<Bdd> next = both(relation_, *effect);
  if (next && related(to)) next = exists(*next, variables(to));
  if (next) next = renamed(*next, BddSlots::variables(BddSlots::scratch, to.width), variables(to));
  if (!next || next->nodes() > most_nodes) return false;
  relation_ = std::move(*next);
  cells_[to] = Tracking::related;
  return true;
}

void BddStore::compute(const Cell& to, const std::set<Cell>& read, const Function& value) {
  const bool possible = slots_->slot(to).has_value();
  const auto list = possible ? cases(read, value) : std::nullopt;
  const bool near = list && std::all_of(list->begin(), list->end(), [&](const Case& one) {
                      return is_narrow(to.width) || (one.value && encoded(to.width, *one.value));
                    });
  if (!near || !assign_cases(to, *list)) make_any(to);
}

std::optional<Cell> BddStore::copied(ir::ExprId expr, const Scope& scope,
                                     std::uint32_t width) const {
  const ir::Expr& node = program_->expr(expr);
  if (node.op != ir::Op::reg) return std::nullopt;
  const Operand operand = scope.reg({static_cast<std::uint32_t>(node.payload)});
  const auto* cell = std::get_if<Cell>(&operand);
  return cell != nullptr && cell->width == width ? std::optional(*cell) : std::nullopt;
}

// Copies are frequent, and need no list of values: bit by bit the two are equal.
bool BddStore::copy(const Cell& to, const Cell& from) {
  if (to == from) return true;
  if (!related(from) || !slots_->slot(to)) return false;
  drop(to);
  if (!related(from)) return false;
  const std::vector<int> target = variables(to), source = variables(from);
  std::optional<Bdd> next = relation_;
  for (std::size_t bit = 0; bit < target.size() && next; ++bit) {
    const Bdd left = Bdd::variable(target[bit]), right = Bdd::variable(source[bit]);
    const std::optional<Bdd> more = except(left, right), less = except(right, left);
    const std::optional<Bdd> differ = more && less ? either(*more, *less) : std::nullopt;
    next = differ ? except(*next, *differ) : std::nullopt;
  }
  if (!next || next->nodes() > most_nodes) return false;
  relation_ = std::move(*next);
  cells_[to] = Tracking::related;
  return true;
}

bool BddStore::keep(const std::set<Cell>& read, const Function& truth) {
  const auto list = cases(read, truth);
  if (!list) return true;
  Bdd kept;
  for (const Case& one : *list) {
    if (one.value == 0U) continue;
    const std::optional<Bdd> more = either(kept, one.when);
    if (!more) return true;
    kept = *more;
  }
  if (kept.is_no()) return false;
  const std::optional<Bdd> rest = both(relation_, kept);
  if (rest && rest->nodes() <= most_nodes) relation_ = *rest;
  return true;
}

std::optional<std::set<std::uint64_t>> BddStore::values_of(const std::set<Cell>& read,
                                                           const Function& value) const {
  const std::optional<Tuples> all = tuples(read);
  if (!all) return std::nullopt;
  std::set<std::uint64_t> result;
  for (const Tuple& tuple : all->values) {
    const std::optional<std::uint64_t> held = value(tuple);
    if (!held) return std::nullopt;
    result.insert(*held);
  }
  return result;
}

}  // namespace heddle::domain
