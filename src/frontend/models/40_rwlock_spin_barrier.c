// Read-write locks, spinlocks and barriers.

// A read-write lock's state is 0 when free, the number + 1 of its writer, or minus the number of
// its readers. Readers may overtake waiting writers, as by glibc's default.
struct heddle_rwlock {
  _Atomic int state;
  int unused[sizeof(void *) == 8 ? 11 : 5];
  _Atomic unsigned char preference;  // where static initialisers put it
};

_Static_assert(__builtin_offsetof(struct heddle_rwlock, preference) ==
                   (sizeof(void *) == 8 ? 48 : 24),
               "the preference stands where static initialisers put it");

enum { HEDDLE_PREFER_WRITER = 2 };

// To be called inside an atomic section, before any store: whether a reader may pass a waiting
// writer matters only where the lock is already held by readers.
static void heddle_rwlock_check_preference(struct heddle_rwlock *lock, int state) {
  if (state < 0 && lock->preference == HEDDLE_PREFER_WRITER) {
    __heddle_unsupported("a read-write lock that prefers writers");
  }
}

int pthread_rwlock_init(void *object, const void *attributes) {
  struct heddle_rwlock *lock = object;
  int preference = 0;
  if (attributes != 0) preference = *(const _Atomic int *)attributes;
  __heddle_atomic_begin();
  lock->state = 0;
  lock->preference = (unsigned char)preference;
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlock_destroy(void *object) { return 0; }

SYNC(rwlock_rdlock)
int pthread_rwlock_rdlock(void *object) {
  struct heddle_rwlock *lock = object;
  int self = __heddle_self();
  __heddle_atomic_begin();
  if (lock->state == self) {
    __heddle_atomic_end();
    return HEDDLE_EDEADLK;
  }
  __heddle_await_holder(lock->state <= 0);
  int state = lock->state;
  heddle_rwlock_check_preference(lock, state);
  lock->state = state - 1;
  __heddle_atomic_end();
  return 0;
}

// It waits for a writer or for readers, whoever has the lock, until it is free.
SYNC(rwlock_wrlock)
int pthread_rwlock_wrlock(void *object) {
  struct heddle_rwlock *lock = object;
  int self = __heddle_self();
  __heddle_atomic_begin();
  int state = lock->state;
  if (state == self) {
    __heddle_atomic_end();
    return HEDDLE_EDEADLK;
  }
  while (state != 0) {
    if (state > 0) {
      __heddle_await_holder(lock->state <= 0);
    } else {
      __heddle_await(lock->state >= 0);
    }
    state = lock->state;
  }
  lock->state = self;
  __heddle_atomic_end();
  return 0;
}

static int heddle_rwlock_read_now(struct heddle_rwlock *lock, int otherwise) {
  int error = 0;
  __heddle_atomic_begin();
  int state = lock->state;
  if (state <= 0) {
    heddle_rwlock_check_preference(lock, state);
    lock->state = state - 1;
  } else {
    error = otherwise;
    if (otherwise == HEDDLE_ETIMEDOUT && state == __heddle_self()) error = HEDDLE_EDEADLK;
  }
  __heddle_atomic_end();
  return error;
}

static int heddle_rwlock_write_now(struct heddle_rwlock *lock, int otherwise) {
  int self = __heddle_self();
  int error = 0;
  __heddle_atomic_begin();
  int state = lock->state;
  if (state == 0) {
    lock->state = self;
  } else {
    error = otherwise;
    if (otherwise == HEDDLE_ETIMEDOUT && state == self) error = HEDDLE_EDEADLK;
  }
  __heddle_atomic_end();
  return error;
}

SYNC(rwlock_tryrdlock)
int pthread_rwlock_tryrdlock(void *lock) { return heddle_rwlock_read_now(lock, HEDDLE_EBUSY); }

SYNC(rwlock_trywrlock)
int pthread_rwlock_trywrlock(void *lock) { return heddle_rwlock_write_now(lock, HEDDLE_EBUSY); }

SYNC(rwlock_tryrdlock)
int pthread_rwlock_timedrdlock(void *lock, const void *deadline) {
  if (heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  return heddle_rwlock_read_now(lock, HEDDLE_ETIMEDOUT);
}

SYNC(rwlock_trywrlock)
int pthread_rwlock_timedwrlock(void *lock, const void *deadline) {
  if (heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  return heddle_rwlock_write_now(lock, HEDDLE_ETIMEDOUT);
}

SYNC(rwlock_tryrdlock)
int pthread_rwlock_clockrdlock(void *lock, int clock, const void *deadline) {
  if (heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  return heddle_rwlock_read_now(lock, HEDDLE_ETIMEDOUT);
}

SYNC(rwlock_trywrlock)
int pthread_rwlock_clockwrlock(void *lock, int clock, const void *deadline) {
  if (heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  return heddle_rwlock_write_now(lock, HEDDLE_ETIMEDOUT);
}

SYNC(rwlock_unlock)
int pthread_rwlock_unlock(void *object) {
  struct heddle_rwlock *lock = object;
  __heddle_atomic_begin();
  int state = lock->state;
  if (state > 0) lock->state = 0;
  if (state < 0) lock->state = state + 1;
  __heddle_atomic_end();
  return 0;
}

// An attribute object is two ints: the preference, and whether processes share the lock.
int pthread_rwlockattr_init(void *attributes) {
  __heddle_atomic_begin();
  ((_Atomic int *)attributes)[0] = 0;
  ((_Atomic int *)attributes)[1] = 0;
  __heddle_atomic_end();
  return 0;
}

int pthread_rwlockattr_destroy(void *attributes) { return 0; }

int pthread_rwlockattr_setkind_np(void *attributes, int preference) {
  if (preference < 0 || preference > 2) return HEDDLE_EINVAL;
  ((_Atomic int *)attributes)[0] = preference;
  return 0;
}

int pthread_rwlockattr_getkind_np(const void *attributes, int *preference) {
  *preference = ((const _Atomic int *)attributes)[0];
  return 0;
}

int pthread_rwlockattr_setpshared(void *attributes, int shared) {
  if (shared != 0 && shared != 1) return HEDDLE_EINVAL;
  ((_Atomic int *)attributes)[1] = shared;
  return 0;
}

int pthread_rwlockattr_getpshared(const void *attributes, int *shared) {
  *shared = ((const _Atomic int *)attributes)[1];
  return 0;
}

// A spinlock is one int: 0 when free, else the number + 1 of its owner.
int pthread_spin_init(void *lock, int shared) {
  *(_Atomic int *)lock = 0;
  return 0;
}

int pthread_spin_destroy(void *lock) { return 0; }

SYNC(spin_lock)
int pthread_spin_lock(void *lock) {
  _Atomic int *owner = lock;
  __heddle_atomic_begin();
  __heddle_await_holder(*owner == 0);
  *owner = __heddle_self();
  __heddle_atomic_end();
  return 0;
}

SYNC(spin_trylock)
int pthread_spin_trylock(void *lock) {
  _Atomic int *owner = lock;
  int error = 0;
  __heddle_atomic_begin();
  if (*owner == 0) {
    *owner = __heddle_self();
  } else {
    error = HEDDLE_EBUSY;
  }
  __heddle_atomic_end();
  return error;
}

SYNC(spin_unlock)
int pthread_spin_unlock(void *lock) {
  *(_Atomic int *)lock = 0;
  return 0;
}

// Each thread inside a barrier holds a slot, a bit of `waiting`. The last of a round releases the
// others by their slots, so that a new round may fill up while some have not left the old one yet.
struct heddle_barrier {
  _Atomic unsigned count;
  _Atomic unsigned waiting;
  _Atomic unsigned released;  // part of waiting
  _Atomic unsigned serial;    // part of released: who is to return PTHREAD_BARRIER_SERIAL_THREAD
};

_Static_assert(sizeof(struct heddle_barrier) <= 20, "it fits into the user's pthread_barrier_t");

enum { HEDDLE_BARRIER_SERIAL_THREAD = -1 };

int pthread_barrier_init(void *object, const void *attributes, unsigned count) {
  struct heddle_barrier *barrier = object;
  if (count == 0) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  barrier->count = count;
  barrier->waiting = 0;
  barrier->released = 0;
  barrier->serial = 0;
  __heddle_atomic_end();
  return 0;
}

// Like glibc's it does not overtake threads that were released and have yet to leave.
int pthread_barrier_destroy(void *object) {
  struct heddle_barrier *barrier = object;
  __heddle_atomic_begin();
  __heddle_await(barrier->released == 0);
  __heddle_atomic_end();
  return 0;
}

// To be called inside an atomic section by the last of a round: any of them may be the serial one.
static int heddle_barrier_release(struct heddle_barrier *barrier, unsigned asleep) {
  barrier->released = barrier->waiting;
  if (asleep == 0 || __heddle_choose(2) == 0) return HEDDLE_BARRIER_SERIAL_THREAD;
  barrier->serial = barrier->serial | (unsigned)heddle_any_bit(asleep);
  return 0;
}

SYNC(barrier_wait)
int pthread_barrier_wait(void *object) {
  struct heddle_barrier *barrier = object;
  __heddle_atomic_begin();
  unsigned waiting = barrier->waiting;
  unsigned asleep = waiting & ~barrier->released;
  if (heddle_count_bits(asleep) + 1 >= barrier->count) {
    int result = heddle_barrier_release(barrier, asleep);
    __heddle_atomic_end();
    return result;
  }
  unsigned slot = (unsigned)heddle_free_slot(waiting);
  if (slot == 0) {
    __heddle_unsupported("more than 32 threads inside one barrier");
    __heddle_exit_process();
  }
  barrier->waiting = waiting | slot;
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_await((barrier->released & slot) != 0);
  unsigned serial = barrier->serial;
  barrier->serial = serial & ~slot;
  barrier->released = barrier->released & ~slot;
  barrier->waiting = barrier->waiting & ~slot;
  __heddle_atomic_end();
  return (serial & slot) != 0 ? HEDDLE_BARRIER_SERIAL_THREAD : 0;
}

int pthread_barrierattr_init(void *attributes) {
  *(_Atomic int *)attributes = 0;
  return 0;
}

int pthread_barrierattr_destroy(void *attributes) { return 0; }

int pthread_barrierattr_setpshared(void *attributes, int shared) {
  if (shared != 0 && shared != 1) return HEDDLE_EINVAL;
  *(_Atomic int *)attributes = shared;
  return 0;
}

int pthread_barrierattr_getpshared(const void *attributes, int *shared) {
  *shared = *(const _Atomic int *)attributes;
  return 0;
}
