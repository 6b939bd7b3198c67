#include "ir/sync_op.hpp"

#include <array>
#include <utility>

#include "base/check.hpp"

namespace heddle::ir {
namespace {

constexpr std::array<std::pair<SyncOp, std::string_view>, 24> names{{
    {SyncOp::thread_create, "thread_create"},
    {SyncOp::thread_join, "thread_join"},
    {SyncOp::thread_exit, "thread_exit"},
    {SyncOp::mutex_init, "mutex_init"},
    {SyncOp::mutex_destroy, "mutex_destroy"},
    {SyncOp::mutex_lock, "mutex_lock"},
    {SyncOp::mutex_trylock, "mutex_trylock"},
    {SyncOp::mutex_unlock, "mutex_unlock"},
    {SyncOp::cond_wait, "cond_wait"},
    {SyncOp::cond_signal, "cond_signal"},
    {SyncOp::cond_broadcast, "cond_broadcast"},
    {SyncOp::rwlock_rdlock, "rwlock_rdlock"},
    {SyncOp::rwlock_wrlock, "rwlock_wrlock"},
    {SyncOp::rwlock_tryrdlock, "rwlock_tryrdlock"},
    {SyncOp::rwlock_trywrlock, "rwlock_trywrlock"},
    {SyncOp::rwlock_unlock, "rwlock_unlock"},
    {SyncOp::spin_lock, "spin_lock"},
    {SyncOp::spin_trylock, "spin_trylock"},
    {SyncOp::spin_unlock, "spin_unlock"},
    {SyncOp::sem_wait, "sem_wait"},
    {SyncOp::sem_trywait, "sem_trywait"},
    {SyncOp::sem_post, "sem_post"},
    {SyncOp::barrier_wait, "barrier_wait"},
    {SyncOp::once, "once"},
}};

}  // namespace

std::string_view to_string(SyncOp op) {
  for (const auto& [candidate, name] : names)
    if (candidate == op) return name;
  CHECK(false, "every SyncOp has a name");
  return {};
}

std::optional<SyncOp> parse_sync_op(std::string_view name) {
  for (const auto& [op, candidate] : names)
    if (candidate == name) return op;
  return std::nullopt;
}

}  // namespace heddle::ir
