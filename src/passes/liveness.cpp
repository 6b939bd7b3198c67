#include "passes/liveness.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "passes/operands.hpp"
#include "passes/order.hpp"

namespace heddle::passes {
namespace {

using namespace ir;

constexpr std::size_t bit_limit = std::size_t{1} << 31;

void set(std::vector<std::uint64_t>& row, std::uint32_t bit) {
  row[bit / 64] |= std::uint64_t{1} << (bit % 64);
}
void clear(std::vector<std::uint64_t>& row, std::uint32_t bit) {
  row[bit / 64] &= ~(std::uint64_t{1} << (bit % 64));
}

}  // namespace

Liveness::Liveness(const Program& program, FunId id) : program_(program) {
  const Function& function = program.function(id);
  if (function.locations.empty()) return;
  const auto [low, high] =
      std::minmax_element(function.locations.begin(), function.locations.end());
  first_ = low->value;
  words_ = function.registers.size() / 64 + 1;
  too_big_ = words_ * 64 * function.locations.size() > bit_limit;
  if (too_big_) return;
  position_.assign(high->value - first_ + 1, 0);
  for (std::uint32_t i = 0; i < function.locations.size(); ++i)
    position_[function.locations[i].value - first_] = i;
  rows_.assign(function.locations.size(), Row(words_, 0));

  std::vector<std::vector<LocId>> before(function.locations.size());
  for (const LocId at : function.locations)
    for (const EdgeId edge : program.out(at))
      before[position_[program.edge(edge).to.value - first_]].push_back(at);
  std::vector<std::uint32_t> ranks(function.locations.size(), UINT32_MAX);
  std::uint32_t rank = 0;
  for (const LocId at : ends_first(program, function)) ranks[position_[at.value - first_]] = rank++;
  // By rank, so that what comes after a location is nearly always known before it.
  std::set<std::pair<std::uint32_t, LocId>> work;
  for (const LocId at : function.locations) work.emplace(ranks[position_[at.value - first_]], at);
  while (!work.empty()) {
    const LocId at = work.begin()->second;
    work.erase(work.begin());
    if (!update(program, at)) continue;
    for (const LocId previous : before[position_[at.value - first_]])
      work.emplace(ranks[position_[previous.value - first_]], previous);
  }
}

bool Liveness::update(const Program& program, LocId at) {
  Row row(words_, 0), along(words_, 0);
  const auto reads = [&](ExprId id) {
    for_each_register(program, id, [&](RegId reg) { set(along, program.reg(reg).index); });
  };
  for (const EdgeId edge_id : program.out(at)) {
    const Edge& edge = program.edge(edge_id);
    along = ends_path(edge.statement) ? Row(words_, 0) : rows_[position_[edge.to.value - first_]];
    if (const auto* await = std::get_if<Await>(&edge.statement)) reads(await->condition);
    if (const auto written = written_register(edge.statement))
      clear(along, program.reg(*written).index);
    for_each_operand(edge.statement, reads);
    for (std::size_t i = 0; i < words_; ++i) row[i] |= along[i];
  }
  Row& known = rows_[position_[at.value - first_]];
  if (known == row) return false;
  known = std::move(row);
  return true;
}

bool Liveness::live(LocId at, RegId reg) const {
  if (too_big_) return true;
  const std::uint32_t bit = program_.reg(reg).index;
  return (rows_[position_[at.value - first_]][bit / 64] >> (bit % 64) & 1) != 0;
}

}  // namespace heddle::passes
