#include "machine/state_set.hpp"

#include <algorithm>
#include <atomic>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace heddle::machine {
namespace {

std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

PairTable::Entry PairTable::insert(std::uint32_t left, std::uint32_t right) {
  if ((pairs_.size() + 1) * 4 > slots_.size() * 3) grow();
  const std::uint64_t pair = (std::uint64_t{left} << 32) | right;
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = base::mix(pair + 0x9e3779b97f4a7c15ULL) & mask;
  for (; slots_[at] != 0; at = (at + 1) & mask)
    if (pairs_[slots_[at] - 1] == pair) return {slots_[at] - 1, false};
  CHECK(pairs_.size() < 0xffffffff, "memory ends long before the numbers do");
  pairs_.push_back(pair);
  slots_[at] = static_cast<std::uint32_t>(pairs_.size());
  return {slots_[at] - 1, true};
}

void PairTable::grow() {
  slots_.assign(slots_.empty() ? 1024 : slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t number = 0; number < pairs_.size(); ++number) {
    std::size_t at = base::mix(pairs_[number] + 0x9e3779b97f4a7c15ULL) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<std::uint32_t>(number + 1);
  }
}

StateSet::StateSet() : serial_(next_serial()), last_bases_number_(fold(scratch_)) {}

std::uint32_t StateSet::word_number(std::uint64_t word) {
  return words_.emplace(word, static_cast<std::uint32_t>(words_.size())).first->second;
}

std::uint32_t StateSet::thread_number(const Shared<Thread>& thread) {
  const auto [number, fresh] = threads_.insert(thread, serial_);
  if (!fresh) return number;
  // Threads that differ in the top frame only share the frames below.
  Thread canonical = *thread;
  for (Shared<Frame>& frame : canonical.frames)
    frame = frames_.at(frames_.insert(frame, serial_).first);
  threads_.at(number) = Shared<Thread>(std::move(canonical));
  return number;
}

// A list of numbers becomes one; the same list always the same one. Lists of one length are told
// apart exactly, since they fold in the same shape.
std::uint32_t StateSet::fold(std::vector<std::uint32_t>& numbers) {
  const std::uint32_t length = static_cast<std::uint32_t>(numbers.size());
  while (numbers.size() > 1) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
      numbers[kept++] = inner_.insert(numbers[i], numbers[i + 1]).number;
    if (numbers.size() % 2 == 1) numbers[kept++] = numbers.back();
    numbers.resize(kept);
  }
  return inner_.insert(numbers.empty() ? 0 : numbers[0], length).number;
}

// Where the objects lie changes less often than what they hold, so the two are told apart.
std::uint32_t StateSet::bases_number(const ObjectTable& table) {
  const auto same = [](const ObjectEntry& entry, Address base) { return entry.base == base; };
  if (std::equal(table.entries.begin(), table.entries.end(), last_bases_.begin(), last_bases_.end(),
                 same))
    return last_bases_number_;
  last_bases_.clear();
  scratch_.clear();
  for (const ObjectEntry& entry : table.entries) {
    last_bases_.push_back(entry.base);
    scratch_.push_back(word_number(entry.base));
  }
  return last_bases_number_ = fold(scratch_);
}

std::uint32_t StateSet::table_number(const Shared<ObjectTable>& table) {
  InternMark& mark = table.mark();
  if (mark.set == serial_) return mark.number;
  const std::uint32_t bases = bases_number(*table);
  scratch_.clear();
  for (const ObjectEntry& entry : table->entries)
    scratch_.push_back(objects_.insert(entry.object, serial_).first);
  const std::uint32_t contents = fold(scratch_);
  mark = {serial_, inner_.insert(bases, contents).number};
  return mark.number;
}

StateSet::Entry StateSet::insert(const State& state) {
  const std::uint32_t memory = table_number(state.object_table());
  scratch_.clear();
  const std::uint64_t holder = state.holder() ? *state.holder() + std::uint64_t{1} : 0;
  scratch_.push_back(word_number(holder * 2 + (state.over() ? 1 : 0)));
  for (const Shared<Thread>& thread : state.threads()) scratch_.push_back(thread_number(thread));
  const std::uint32_t control = fold(scratch_);
  const PairTable::Entry entry = states_.insert(control, memory);
  return {entry.number, entry.fresh};
}

}  // namespace heddle::machine
