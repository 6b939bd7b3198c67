#include "engine/explore/lock_learner.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>
#include <vector>

#include "base/hash.hpp"

namespace heddle::engine::explore {
namespace {

constexpr std::uint64_t walks_for_locks = 3, walks = 12;
constexpr std::uint64_t steps_of_all_walks = 30'000;
constexpr std::uint64_t steps_of_one_walk = 6'000;
constexpr std::size_t most_locks = 64;
constexpr std::uint64_t largest_touch = 4'096;  // bytes; beyond, a piece is not worth the list

}  // namespace

void LockDiscipline::learn() { Learner(*this).run(); }

void LockDiscipline::Learner::run() {
  steps_left_ = steps_of_all_walks / 4;
  for (std::uint64_t i = 0; i < walks_for_locks; ++i) walk(i, Phase::find_locks);
  if (locks_.empty() || locks_.size() > most_locks) return;
  steps_left_ = steps_of_all_walks;
  for (std::uint64_t i = 0; i < walks; ++i) walk(i, Phase::watch_accesses);
  conclude();
}

std::uint64_t LockDiscipline::Learner::chance() {
  random_ += 0x9e3779b97f4a7c15ULL;
  return base::mix(random_);
}

// Stays with a thread for some steps, so that threads meet in the middle of what they do.
void LockDiscipline::Learner::walk(std::uint64_t seed, Phase phase) {
  random_ = base::mix(seed + 1);
  machine::State state = rules_.machine_.initial();
  ThreadNumber thread = 0;
  for (std::uint64_t taken = 0; taken < steps_of_one_walk && steps_left_ > 0; ++taken) {
    --steps_left_;
    std::vector<ThreadNumber> enabled;
    for (ThreadNumber t = 0; t < state.thread_count(); ++t)
      if (rules_.machine_.enabled(state, t)) enabled.push_back(t);
    if (enabled.empty()) return;
    const bool stays =
        std::binary_search(enabled.begin(), enabled.end(), thread) && chance() % 16 != 0;
    if (!stays) thread = enabled[chance() % enabled.size()];
    if (!step(state, thread, phase)) return;
  }
}

// False: the execution ends here.
bool LockDiscipline::Learner::step(machine::State& state, ThreadNumber thread, Phase phase) {
  const machine::Machine& machine = rules_.machine_;
  for (const ir::EdgeId edge : machine.edges(state, thread)) {
    if (phase == Phase::watch_accesses && rules_.matters_[edge.value] != 0)
      note(state, thread, edge);
    if (phase == Phase::find_locks && rules_.awaits_lock(edge))
      if (const auto access = machine.access(state, thread, edge))
        if (access->address % granule == 0) locks_.insert(access->address);
    std::optional<std::uint64_t> input;
    if (const auto request = machine.input_needed(state, thread, edge))
      input = request->limit != 0 ? chance() % request->limit : chance() % 4;
    const machine::StepResult result = machine.step(state, thread, edge, input);
    if (result.outcome == machine::Outcome::pruned) continue;
    return result.outcome == machine::Outcome::moved && !result.violation;
  }
  return false;
}

void LockDiscipline::Learner::note(const machine::State& state, ThreadNumber thread,
                                   ir::EdgeId next) {
  if (rules_.exempt(state, thread)) return;
  for (const Touched& what : rules_.touched(state, thread, next)) {
    note_locks(state, thread, next, what);
    std::set<Address> held;
    for (const Address lock : locks_)
      if (rules_.holds(state, thread, lock)) held.insert(lock);
    const Address end = std::min(what.to, what.from + largest_touch);
    for (Address at = what.from / granule * granule; at < end; at += granule) {
      const auto [piece, fresh] = pieces_.try_emplace(at, Piece{what.base, what.size, held});
      if (fresh) continue;
      std::set<Address>& locks = piece->second.locks;
      std::erase_if(locks, [&](Address lock) { return !held.contains(lock); });
      piece->second.size = std::max(piece->second.size, what.size);
    }
  }
}

void LockDiscipline::Learner::note_locks(const machine::State& state, ThreadNumber thread,
                                         ir::EdgeId next, const Touched& what) {
  for (const Address lock : locks_) {
    if (lock >= what.to || lock + lock_bytes <= what.from) continue;
    const Use use = rules_.use_of_lock(state, thread, next, what, lock);
    if (use == Use::breaks) unsound_.insert(lock);
    if (use == Use::reads) looked_at_.insert(lock);
  }
}

void LockDiscipline::Learner::conclude() {
  for (const Address lock : locks_) {
    if (unsound_.contains(lock)) continue;
    rules_.locks_.insert(lock);
    if (!looked_at_.contains(lock)) rules_.ranges_[lock] = {lock + lock_bytes, lock};
  }
  // Where one lock belongs to all that was touched of an object, it belongs to the whole.
  std::map<Address, std::set<Address>> of_object;
  for (auto& [at, piece] : pieces_) {
    std::erase_if(piece.locks, [&](Address lock) { return unsound_.contains(lock); });
    const auto [common, fresh] = of_object.try_emplace(piece.base, piece.locks);
    if (fresh) continue;
    std::erase_if(common->second, [&](Address lock) { return !piece.locks.contains(lock); });
  }
  for (const auto& [at, piece] : pieces_) {
    const std::set<Address>& common = of_object[piece.base];
    const bool is_lock = rules_.locks_.lower_bound(at < lock_bytes ? 0 : at - lock_bytes + 1) !=
                         rules_.locks_.lower_bound(at + granule);
    if (!common.empty())
      rules_.ranges_[piece.base] = {piece.base + std::max<std::uint64_t>(piece.size, 1),
                                    *common.begin()};
    else if (!piece.locks.empty() && !is_lock)
      rules_.ranges_[at] = {at + granule, *piece.locks.begin()};
  }
}

}  // namespace heddle::engine::explore
