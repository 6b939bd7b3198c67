#include "domain/lockset.hpp"

#include <algorithm>
#include <iterator>

#include "base/hash.hpp"

namespace heddle::domain {
namespace {

template <class T>
void intersect(std::set<T>& set, const std::set<T>& with) {
  std::erase_if(set, [&](const T& item) { return !with.contains(item); });
}

template <class T>
bool includes(const std::set<T>& large, const std::set<T>& small) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

}  // namespace

void Locksets::acquire(Thread thread, Address lock) { ++held_[thread][lock]; }

void Locksets::release(Thread thread, Address lock) {
  const auto locks = held_.find(thread);
  if (locks == held_.end()) return;
  const auto found = locks->second.find(lock);
  if (found == locks->second.end()) return;
  if (--found->second == 0) locks->second.erase(found);
  if (locks->second.empty()) held_.erase(locks);
}

void Locksets::access(Thread thread, Address object, AccessKind kind) {
  const auto [place, is_new] = accesses_.try_emplace(object);
  Accesses& all = place->second;
  if (is_new)
    all.common = held(thread);
  else
    intersect(all.common, held(thread));
  (kind == AccessKind::write ? all.writers : all.readers).insert(thread);
}

std::set<Locksets::Address> Locksets::held(Thread thread) const {
  std::set<Address> result;
  const auto locks = held_.find(thread);
  if (locks != held_.end())
    for (const auto& [lock, times] : locks->second) result.insert(lock);
  return result;
}

std::set<Locksets::Address> Locksets::common(Address object) const {
  const auto found = accesses_.find(object);
  return found == accesses_.end() ? std::set<Address>{} : found->second.common;
}

bool Locksets::consistent(Address object) const {
  const auto found = accesses_.find(object);
  if (found == accesses_.end() || !found->second.common.empty()) return true;
  const Accesses& all = found->second;
  if (all.writers.empty()) return true;
  std::set<Thread> threads = all.readers;
  threads.insert(all.writers.begin(), all.writers.end());
  return threads.size() == 1;
}

bool Locksets::covers(const Locksets& other) const {
  for (const auto& [thread, locks] : held_) {
    const auto its = other.held_.find(thread);
    if (its == other.held_.end()) return false;
    for (const auto& [lock, times] : locks) {
      const auto found = its->second.find(lock);
      if (found == its->second.end() || found->second < times) return false;
    }
  }
  return std::all_of(other.accesses_.begin(), other.accesses_.end(), [&](const auto& entry) {
    const auto mine = accesses_.find(entry.first);
    return mine != accesses_.end() && includes(entry.second.common, mine->second.common) &&
           includes(mine->second.readers, entry.second.readers) &&
           includes(mine->second.writers, entry.second.writers);
  });
}

void Locksets::join(const Locksets& other) {
  for (auto thread = held_.begin(); thread != held_.end();) {
    const auto its = other.held_.find(thread->first);
    std::map<Address, std::uint32_t>& locks = thread->second;
    for (auto lock = locks.begin(); lock != locks.end();) {
      const bool held = its != other.held_.end() && its->second.contains(lock->first);
      if (held) lock->second = std::min(lock->second, its->second.at(lock->first));
      lock = held ? std::next(lock) : locks.erase(lock);
    }
    thread = locks.empty() ? held_.erase(thread) : std::next(thread);
  }
  for (const auto& [object, its] : other.accesses_) {
    const auto [place, is_new] = accesses_.try_emplace(object, its);
    if (is_new) continue;
    intersect(place->second.common, its.common);
    place->second.readers.insert(its.readers.begin(), its.readers.end());
    place->second.writers.insert(its.writers.begin(), its.writers.end());
  }
}

std::uint64_t Locksets::hash() const {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t value) { hash = base::combine(hash, value); };
  for (const auto& [thread, locks] : held_) {
    add(thread);
    for (const auto& [lock, times] : locks) add(base::combine(lock, times));
  }
  for (const auto& [object, all] : accesses_) {
    add(object);
    for (const Address lock : all.common) add(lock);
    add(all.readers.size());
    for (const Thread thread : all.readers) add(thread);
    add(all.writers.size());
    for (const Thread thread : all.writers) add(thread);
  }
  return hash;
}

}  // namespace heddle::domain
