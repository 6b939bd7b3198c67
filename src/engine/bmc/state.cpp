#include "engine/bmc/state.hpp"

#include <algorithm>
#include <iterator>

namespace heddle::engine::bmc {

void Guard::add(smt::Terms& terms, Term condition) {
  if (terms.is_true(condition)) return;
  const auto at = std::lower_bound(parts_.begin(), parts_.end(), condition);
  if (at != parts_.end() && *at == condition) return;
  const Term opposite = terms.not_(condition);
  const bool never = std::binary_search(parts_.begin(), parts_.end(), opposite);
  parts_.insert(at, condition);
  term_ = never ? terms.no() : terms.and_(term_, condition);
}

std::pair<Guard, Term> Guard::join(smt::Terms& terms, const Guard& first, const Guard& second) {
  const auto conjunction = [&](const std::vector<Term>& parts) {
    Term all = terms.yes();
    for (const Term part : parts) all = terms.and_(all, part);
    return all;
  };
  std::vector<Term> common, only_first, only_second;
  std::set_intersection(first.parts_.begin(), first.parts_.end(), second.parts_.begin(),
                        second.parts_.end(), std::back_inserter(common));
  std::set_difference(first.parts_.begin(), first.parts_.end(), common.begin(), common.end(),
                      std::back_inserter(only_first));
  std::set_difference(second.parts_.begin(), second.parts_.end(), common.begin(), common.end(),
                      std::back_inserter(only_second));
  const Term left = conjunction(only_first), right = conjunction(only_second);
  Guard joined(terms);
  for (const Term part : common) joined.add(terms, part);
  joined.add(terms, terms.or_(left, right));
  // Where the second is there alone, `left` is false: the two never hold together.
  return {std::move(joined), only_first.size() <= only_second.size() ? left : terms.not_(right)};
}

const Term* View::find(const Cell& cell) const {
  const auto object = map_->find(cell.object);
  if (object == map_->end()) return nullptr;
  const auto found = object->second->cells.find(cell.offset);
  if (found == object->second->cells.end() || found->second.first != cell.size) return nullptr;
  return &found->second.second;
}

std::uint32_t View::version(ObjectId object) const {
  const auto found = map_->find(object);
  return found == map_->end() ? 0 : found->second->version;
}

View::ObjectView& View::write(ObjectId object) {
  if (map_.use_count() > 1) map_ = std::make_shared<Map>(*map_);
  std::shared_ptr<ObjectView>& entry = (*map_)[object];
  if (!entry)
    entry = std::make_shared<ObjectView>();
  else if (entry.use_count() > 1)
    entry = std::make_shared<ObjectView>(*entry);
  return *entry;
}

void View::set(const Cell& cell, Term value) {
  const Term* known = find(cell);
  if (known != nullptr && *known == value) return;
  write(cell.object).cells[cell.offset] = {cell.size, value};
}

void View::forget(ObjectId object, std::uint32_t version) {
  ObjectView& view = write(object);
  view.version = version;
  std::erase_if(view.cells, [](const auto& entry) { return entry.first != Cell::life; });
}

bool View::same(const View& other) const {
  if (map_ == other.map_) return true;
  return std::equal(map_->begin(), map_->end(), other.map_->begin(), other.map_->end(),
                    [](const auto& left, const auto& right) {
                      return left.first == right.first &&
                             (left.second == right.second || *left.second == *right.second);
                    });
}

}  // namespace heddle::engine::bmc
