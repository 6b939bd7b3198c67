// The synchronisation operations that model functions stand for. What each does
// is written in the model library; this is only its name, for locksets and reports.
#pragma once

#include <optional>
#include <string_view>

namespace heddle::ir {

// clang-format off
enum class SyncOp {
  thread_create, thread_join, thread_exit,
  mutex_init, mutex_destroy, mutex_lock, mutex_trylock, mutex_unlock,
  cond_wait, cond_signal, cond_broadcast,
  rwlock_rdlock, rwlock_wrlock, rwlock_tryrdlock, rwlock_trywrlock, rwlock_unlock,
  spin_lock, spin_trylock, spin_unlock,
  sem_wait, sem_trywait, sem_post,
  barrier_wait, once,
};
// clang-format on

std::string_view to_string(SyncOp op);
std::optional<SyncOp> parse_sync_op(std::string_view name);

}  // namespace heddle::ir
