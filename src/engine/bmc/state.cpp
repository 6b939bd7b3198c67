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

const std::shared_ptr<View::ObjectView>* View::entry(ObjectId object) const {
  const std::uint32_t page = object.value / page_size;
  if (page >= pages_->size() || !(*pages_)[page]) return nullptr;
  return &(*(*pages_)[page])[object.value % page_size];
}

const View::ObjectView* View::object(ObjectId id) const {
  const std::shared_ptr<ObjectView>* found = entry(id);
  return found == nullptr ? nullptr : found->get();
}

const Term* View::find(const Cell& cell) const {
  const ObjectView* view = object(cell.object);
  if (view == nullptr) return nullptr;
  const auto found = view->cells.find(cell.offset);
  if (found == view->cells.end() || found->second.first != cell.size) return nullptr;
  return &found->second.second;
}

std::uint32_t View::version(ObjectId object) const {
  const ObjectView* view = this->object(object);
  return view == nullptr ? 0 : view->version;
}

View::ObjectView& View::write(ObjectId object) {
  const auto own = [](auto& part) {
    using Part = typename std::remove_reference_t<decltype(part)>::element_type;
    if (!part)
      part = std::make_shared<Part>();
    else if (part.use_count() > 1)
      part = std::make_shared<Part>(*part);
  };
  own(pages_);
  const std::uint32_t page = object.value / page_size;
  if (page >= pages_->size()) pages_->resize(page + 1);
  own((*pages_)[page]);
  std::shared_ptr<ObjectView>& entry = (*(*pages_)[page])[object.value % page_size];
  own(entry);
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

std::vector<ObjectId> View::differing(const View& other) const {
  std::vector<ObjectId> result;
  if (pages_ == other.pages_) return result;
  const std::size_t count = std::max(pages_->size(), other.pages_->size());
  const auto page_of = [](const Pages& pages, std::size_t i) {
    return i < pages.size() ? pages[i] : nullptr;
  };
  for (std::size_t i = 0; i < count; ++i) {
    if (page_of(*pages_, i) == page_of(*other.pages_, i)) continue;
    for (std::uint32_t j = 0; j < page_size; ++j) {
      const ObjectId id{static_cast<std::uint32_t>(i) * page_size + j};
      const ObjectView *mine = object(id), *theirs = other.object(id);
      if (mine == theirs) continue;
      if (mine == nullptr || theirs == nullptr || !(*mine == *theirs)) result.push_back(id);
    }
  }
  return result;
}

}  // namespace heddle::engine::bmc
