#include "report/sync_words.hpp"

#include "base/check.hpp"

namespace heddle::report {

SyncWords words_for(ir::SyncOp op) {
  switch (op) {
    case ir::SyncOp::thread_create:
      return {"creates", "creates", LockEffect::none};
    case ir::SyncOp::thread_join:
      return {"joins", "waits for", LockEffect::none};
    case ir::SyncOp::thread_exit:
      return {"ends", "ends", LockEffect::none};
    case ir::SyncOp::mutex_init:
      return {"initialises", "initialises", LockEffect::none};
    case ir::SyncOp::mutex_destroy:
      return {"destroys", "destroys", LockEffect::none};
    case ir::SyncOp::mutex_lock:
      return {"locks", "waits for", LockEffect::takes};
    case ir::SyncOp::mutex_trylock:
      return {"tries to lock", "tries to lock", LockEffect::none};
    case ir::SyncOp::mutex_unlock:
      return {"unlocks", "unlocks", LockEffect::gives_back};
    case ir::SyncOp::cond_wait:
      return {"wakes up from", "sleeps on", LockEffect::none};
    case ir::SyncOp::cond_signal:
      return {"signals", "signals", LockEffect::none};
    case ir::SyncOp::cond_broadcast:
      return {"broadcasts", "broadcasts", LockEffect::none};
    case ir::SyncOp::rwlock_rdlock:
      return {"read-locks", "waits to read", LockEffect::takes};
    case ir::SyncOp::rwlock_wrlock:
      return {"write-locks", "waits to write", LockEffect::takes};
    case ir::SyncOp::rwlock_tryrdlock:
      return {"tries to read-lock", "tries to read-lock", LockEffect::none};
    case ir::SyncOp::rwlock_trywrlock:
      return {"tries to write-lock", "tries to write-lock", LockEffect::none};
    case ir::SyncOp::rwlock_unlock:
      return {"unlocks", "unlocks", LockEffect::gives_back};
    case ir::SyncOp::spin_lock:
      return {"locks", "spins on", LockEffect::takes};
    case ir::SyncOp::spin_trylock:
      return {"tries to lock", "tries to lock", LockEffect::none};
    case ir::SyncOp::spin_unlock:
      return {"unlocks", "unlocks", LockEffect::gives_back};
    case ir::SyncOp::sem_wait:
      return {"takes", "waits for", LockEffect::none};
    case ir::SyncOp::sem_trywait:
      return {"tries to take", "tries to take", LockEffect::none};
    case ir::SyncOp::sem_post:
      return {"posts", "posts", LockEffect::none};
    case ir::SyncOp::barrier_wait:
      return {"passes", "waits at", LockEffect::none};
    case ir::SyncOp::once:
      return {"runs once", "waits for", LockEffect::none};
  }
  CHECK(false, "every operation has its words");
  return {};
}

}  // namespace heddle::report
