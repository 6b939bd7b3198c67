#include "machine/state.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace heddle::machine {
namespace {

std::uint64_t hash_bytes(std::uint64_t seed, std::span<const std::uint8_t> bytes) {
  std::uint64_t hash = base::combine(seed, bytes.size());
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = base::combine(hash, word);
  }
  std::uint64_t rest = 0;
  if (at < bytes.size()) std::memcpy(&rest, bytes.data() + at, bytes.size() - at);
  return base::combine(hash, rest);
}

auto position(std::vector<ObjectEntry>& entries, Address base) {
  return std::lower_bound(entries.begin(), entries.end(), base,
                          [](const ObjectEntry& entry, Address at) { return entry.base < at; });
}

}  // namespace

std::uint64_t hash_of(const Frame& frame) {
  std::uint64_t hash = base::combine(frame.function.value, frame.at.value);
  for (const std::uint64_t value : frame.registers) hash = base::combine(hash, value);
  hash = base::combine(hash, frame.result ? frame.result->value : ~std::uint64_t{0});
  for (const auto& [edge, address] : frame.stack_objects)
    hash = base::combine(base::combine(hash, edge.value), address);
  return hash;
}

std::uint64_t hash_of(const Thread& thread) {
  std::uint64_t hash = base::combine(thread.frames.size(), thread.atomic_depth);
  for (const Shared<Frame>& frame : thread.frames) hash = base::combine(hash, frame.hash());
  return hash;
}

std::uint64_t hash_of(const Object& object) {
  std::uint64_t hash = base::combine(static_cast<std::uint64_t>(object.kind), object.global.value);
  hash = base::combine(hash, object.allocated_at.value);
  return hash_bytes(hash_bytes(hash, object.bytes), object.set);
}

std::uint64_t hash_of(const ObjectTable& table) {
  std::uint64_t hash = table.entries.size();
  for (const ObjectEntry& entry : table.entries)
    hash = base::mix(hash + entry.base) + entry.object.hash();
  return base::mix(hash);
}

std::uint64_t State::hash() const {
  std::uint64_t hash = base::combine(holder_ ? *holder_ + std::uint64_t{1} : 0, over_ ? 1 : 0);
  for (const Shared<Thread>& thread : threads_) hash = base::combine(hash, thread.hash());
  return base::combine(hash, objects_.hash());
}

bool State::operator==(const State& other) const {
  return over_ == other.over_ && holder_ == other.holder_ && threads_ == other.threads_ &&
         objects_ == other.objects_;
}

void State::add_object(Address base, Object object) {
  std::vector<ObjectEntry>& entries = objects_.write().entries;
  const auto at = position(entries, base);
  CHECK(at == entries.end() || at->base != base, "an address belongs to one object");
  entries.insert(at, ObjectEntry{base, Shared<Object>(std::move(object))});
}

void State::remove_object(Address base) {
  std::vector<ObjectEntry>& entries = objects_.write().entries;
  const auto at = position(entries, base);
  CHECK(at != entries.end() && at->base == base, "only a live object can end");
  entries.erase(at);
}

}  // namespace heddle::machine
