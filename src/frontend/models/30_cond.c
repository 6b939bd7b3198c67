// Condition variables: a signal wakes any one of those who wait at that moment, and is lost where
// nobody does. Each waiter holds a slot, a bit of `waiting`; who wakes it sets its bit of
// `signalled`, and the waiter gives both back when it leaves.
//
// A waiter that wakes spuriously needs no slot: had a signal reached it, it would be a waiter that
// was woken by that signal. It decides when it goes to sleep, so that there is always the execution
// in which it does not wake by itself, and a lost signal is a deadlock.

struct heddle_cond {
  _Atomic unsigned long long waiting;
  _Atomic unsigned long long signalled;  // part of waiting
};

_Static_assert(sizeof(struct heddle_cond) <= 48, "it fits into the user's pthread_cond_t");

static void heddle_cond_init(struct heddle_cond *cond) {
  __heddle_atomic_begin();
  cond->waiting = 0;
  cond->signalled = 0;
  __heddle_atomic_end();
}

// POSIX allows it as soon as all waiters are woken, so it must not overtake their leaving.
static void heddle_cond_destroy(struct heddle_cond *cond) {
  __heddle_atomic_begin();
  __heddle_await(cond->signalled == 0);
  __heddle_atomic_end();
}

// To be called inside an atomic section.
static unsigned long long heddle_cond_enter(struct heddle_cond *cond) {
  unsigned long long waiting = cond->waiting;
  unsigned long long slot = heddle_free_slot(waiting);
  if (slot == 0) {
    __heddle_unsupported("more than 64 threads waiting for one condition variable");
    __heddle_exit_process();
  }
  cond->waiting = waiting | slot;
  return slot;
}

// To be called inside an atomic section. Whether the waiter had been signalled.
static int heddle_cond_leave(struct heddle_cond *cond, unsigned long long slot) {
  unsigned long long signalled = cond->signalled;
  cond->signalled = signalled & ~slot;
  cond->waiting = cond->waiting & ~slot;
  return (signalled & slot) != 0;
}

static int heddle_cond_wait(struct heddle_cond *cond, struct heddle_mutex *mutex) {
  if (__heddle_choose(2) != 0) {
    int refused = heddle_mutex_unlock(mutex);
    if (refused != 0) return refused;
    return heddle_mutex_lock(mutex);
  }
  __heddle_atomic_begin();
  int error = heddle_mutex_release(mutex);
  if (error != 0) {
    __heddle_atomic_end();
    return error;
  }
  unsigned long long slot = heddle_cond_enter(cond);
  __heddle_atomic_end();
  __heddle_atomic_begin();
  __heddle_await((cond->signalled & slot) != 0);
  heddle_cond_leave(cond, slot);
  __heddle_atomic_end();
  return heddle_mutex_lock(mutex);
}

// It never blocks for good: its turn finds it signalled, or it wakes spuriously or by the clock.
static int heddle_cond_timedwait(struct heddle_cond *cond, struct heddle_mutex *mutex,
                                 const void *deadline) {
  if (heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  int error = heddle_mutex_release(mutex);
  if (error != 0) {
    __heddle_atomic_end();
    return error;
  }
  unsigned long long slot = heddle_cond_enter(cond);
  __heddle_atomic_end();
  __heddle_atomic_begin();
  int signalled = heddle_cond_leave(cond, slot);
  __heddle_atomic_end();
  int result = 0;
  if (signalled == 0 && __heddle_choose(2) != 0) result = HEDDLE_ETIMEDOUT;
  error = heddle_mutex_lock(mutex);
  return error != 0 ? error : result;
}

static void heddle_cond_signal(struct heddle_cond *cond) {
  __heddle_atomic_begin();
  unsigned long long signalled = cond->signalled;
  unsigned long long asleep = cond->waiting & ~signalled;
  if (asleep != 0) cond->signalled = signalled | heddle_any_bit(asleep);
  __heddle_atomic_end();
}

static void heddle_cond_broadcast(struct heddle_cond *cond) {
  __heddle_atomic_begin();
  cond->signalled = cond->waiting;
  __heddle_atomic_end();
}

int pthread_cond_init(void *cond, const void *attributes) {
  heddle_cond_init(cond);
  return 0;
}

int pthread_cond_destroy(void *cond) {
  heddle_cond_destroy(cond);
  return 0;
}

SYNC(cond_wait)
int pthread_cond_wait(void *cond, void *mutex) { return heddle_cond_wait(cond, mutex); }

SYNC(cond_wait)
int pthread_cond_timedwait(void *cond, void *mutex, const void *deadline) {
  return heddle_cond_timedwait(cond, mutex, deadline);
}

SYNC(cond_wait)
int pthread_cond_clockwait(void *cond, void *mutex, int clock, const void *deadline) {
  return heddle_cond_timedwait(cond, mutex, deadline);
}

SYNC(cond_signal)
int pthread_cond_signal(void *cond) {
  heddle_cond_signal(cond);
  return 0;
}

SYNC(cond_broadcast)
int pthread_cond_broadcast(void *cond) {
  heddle_cond_broadcast(cond);
  return 0;
}

// An attribute object is one int: shared in bit 0, the clock in bit 1.
int pthread_condattr_init(void *attributes) {
  *(_Atomic int *)attributes = 0;
  return 0;
}

int pthread_condattr_destroy(void *attributes) { return 0; }

int pthread_condattr_setpshared(void *attributes, int shared) {
  if (shared != 0 && shared != 1) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  *(_Atomic int *)attributes = (*(_Atomic int *)attributes & ~1) | shared;
  __heddle_atomic_end();
  return 0;
}

int pthread_condattr_getpshared(const void *attributes, int *shared) {
  *shared = *(const _Atomic int *)attributes & 1;
  return 0;
}

int pthread_condattr_setclock(void *attributes, int clock) {
  if (clock != 0 && clock != 1) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  *(_Atomic int *)attributes = (*(_Atomic int *)attributes & ~2) | (clock << 1);
  __heddle_atomic_end();
  return 0;
}

int pthread_condattr_getclock(const void *attributes, int *clock) {
  *clock = (*(const _Atomic int *)attributes >> 1) & 1;
  return 0;
}
