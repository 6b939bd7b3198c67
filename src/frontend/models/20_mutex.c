// Mutexes of every kind. All bytes zero is a free normal mutex, and the kind stands where glibc's
// static initialisers put it. A free mutex has owner 0, a taken one the number + 1 of its owner.

struct heddle_mutex {
  _Atomic int owner;
  _Atomic unsigned depth;  // further locks by the owner of a recursive mutex
  int unused[sizeof(void *) == 8 ? 2 : 1];
  _Atomic int kind;
};

_Static_assert(__builtin_offsetof(struct heddle_mutex, kind) == (sizeof(void *) == 8 ? 16 : 12),
               "the kind stands where static initialisers put it");

enum {
  HEDDLE_MUTEX_NORMAL = 0,
  HEDDLE_MUTEX_RECURSIVE = 1,
  HEDDLE_MUTEX_ERRORCHECK = 2,
  HEDDLE_MUTEX_ADAPTIVE = 3
};

static void heddle_mutex_init(struct heddle_mutex *mutex, int kind) {
  __heddle_atomic_begin();
  mutex->owner = 0;
  mutex->depth = 0;
  mutex->kind = kind;
  __heddle_atomic_end();
}

// A normal mutex locked again by its owner waits for that owner, for ever.
static int heddle_mutex_lock(struct heddle_mutex *mutex) {
  int self = __heddle_self();
  __heddle_atomic_begin();
  int kind = mutex->kind;
  if (kind == HEDDLE_MUTEX_RECURSIVE && mutex->owner == self) {
    mutex->depth = mutex->depth + 1;
    __heddle_atomic_end();
    return 0;
  }
  if (kind == HEDDLE_MUTEX_ERRORCHECK && mutex->owner == self) {
    __heddle_atomic_end();
    return HEDDLE_EDEADLK;
  }
  __heddle_await_holder(mutex->owner == 0);
  mutex->owner = self;
  __heddle_atomic_end();
  return 0;
}

static int heddle_mutex_trylock(struct heddle_mutex *mutex) {
  int self = __heddle_self();
  int error = 0;
  __heddle_atomic_begin();
  int owner = mutex->owner;
  if (owner == 0) {
    mutex->owner = self;
  } else if (owner == self && mutex->kind == HEDDLE_MUTEX_RECURSIVE) {
    mutex->depth = mutex->depth + 1;
  } else {
    error = HEDDLE_EBUSY;
  }
  __heddle_atomic_end();
  return error;
}

// Waiting cannot be seen from outside, so a lock that may time out takes the mutex when its turn
// finds it free, and has timed out when its turn finds it taken.
static int heddle_mutex_timedlock(struct heddle_mutex *mutex, const void *deadline) {
  int self = __heddle_self();
  int error = 0;
  __heddle_atomic_begin();
  int owner = mutex->owner;
  int kind = mutex->kind;
  if (owner == 0) {
    mutex->owner = self;
  } else if (owner == self && kind == HEDDLE_MUTEX_RECURSIVE) {
    mutex->depth = mutex->depth + 1;
  } else if (owner == self && kind == HEDDLE_MUTEX_ERRORCHECK) {
    error = HEDDLE_EDEADLK;
  } else {
    error = HEDDLE_ETIMEDOUT;
  }
  __heddle_atomic_end();
  if (error == HEDDLE_ETIMEDOUT && heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  return error;
}

// To be called inside an atomic section.
static int heddle_mutex_release(struct heddle_mutex *mutex) {
  int kind = mutex->kind;
  if (kind == HEDDLE_MUTEX_RECURSIVE || kind == HEDDLE_MUTEX_ERRORCHECK) {
    if (mutex->owner != __heddle_self()) return HEDDLE_EPERM;
    unsigned depth = mutex->depth;
    if (depth != 0) {
      mutex->depth = depth - 1;
      return 0;
    }
  }
  mutex->owner = 0;
  return 0;
}

static int heddle_mutex_unlock(struct heddle_mutex *mutex) {
  __heddle_atomic_begin();
  int error = heddle_mutex_release(mutex);
  __heddle_atomic_end();
  return error;
}

SYNC(mutex_init)
int pthread_mutex_init(void *mutex, const void *attributes) {
  int kind = HEDDLE_MUTEX_NORMAL;
  if (attributes != 0) kind = *(const _Atomic int *)attributes & 3;
  heddle_mutex_init(mutex, kind);
  return 0;
}

// Whoever still uses it afterwards finds it as it was: POSIX leaves that undefined.
SYNC(mutex_destroy)
int pthread_mutex_destroy(void *mutex) {
  int owner = ((struct heddle_mutex *)mutex)->owner;
  return owner != 0 ? HEDDLE_EBUSY : 0;
}

SYNC(mutex_lock)
int pthread_mutex_lock(void *mutex) { return heddle_mutex_lock(mutex); }

SYNC(mutex_trylock)
int pthread_mutex_trylock(void *mutex) { return heddle_mutex_trylock(mutex); }

SYNC(mutex_trylock)
int pthread_mutex_timedlock(void *mutex, const void *deadline) {
  return heddle_mutex_timedlock(mutex, deadline);
}

SYNC(mutex_trylock)
int pthread_mutex_clocklock(void *mutex, int clock, const void *deadline) {
  return heddle_mutex_timedlock(mutex, deadline);
}

SYNC(mutex_unlock)
int pthread_mutex_unlock(void *mutex) { return heddle_mutex_unlock(mutex); }

// Robust mutexes cannot be made, and no other can be inconsistent.
int pthread_mutex_consistent(void *mutex) { return HEDDLE_EINVAL; }

// An attribute object is one int: the kind in bits 0 and 1, shared in bit 2, the protocol in bits
// 3 and 4.
int pthread_mutexattr_init(void *attributes) {
  *(_Atomic int *)attributes = 0;
  return 0;
}

int pthread_mutexattr_destroy(void *attributes) { return 0; }

int pthread_mutexattr_settype(void *attributes, int kind) {
  if (kind < HEDDLE_MUTEX_NORMAL || kind > HEDDLE_MUTEX_ADAPTIVE) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  *(_Atomic int *)attributes = (*(_Atomic int *)attributes & ~3) | kind;
  __heddle_atomic_end();
  return 0;
}

int pthread_mutexattr_gettype(const void *attributes, int *kind) {
  *kind = *(const _Atomic int *)attributes & 3;
  return 0;
}

int pthread_mutexattr_setpshared(void *attributes, int shared) {
  if (shared != 0 && shared != 1) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  *(_Atomic int *)attributes = (*(_Atomic int *)attributes & ~4) | (shared << 2);
  __heddle_atomic_end();
  return 0;
}

int pthread_mutexattr_getpshared(const void *attributes, int *shared) {
  *shared = (*(const _Atomic int *)attributes >> 2) & 1;
  return 0;
}

int pthread_mutexattr_setprotocol(void *attributes, int protocol) {
  if (protocol < 0 || protocol > 2) return HEDDLE_EINVAL;
  __heddle_atomic_begin();
  *(_Atomic int *)attributes = (*(_Atomic int *)attributes & ~24) | (protocol << 3);
  __heddle_atomic_end();
  return 0;
}

int pthread_mutexattr_getprotocol(const void *attributes, int *protocol) {
  *protocol = (*(const _Atomic int *)attributes >> 3) & 3;
  return 0;
}

int pthread_mutexattr_setrobust(void *attributes, int robust) {
  if (robust != 0) __heddle_unsupported("robust mutexes");
  return 0;
}

int pthread_mutexattr_getrobust(const void *attributes, int *robust) {
  *robust = 0;
  return 0;
}

// Ceilings order priorities, and those change no interleaving.
int pthread_mutexattr_setprioceiling(void *attributes, int ceiling) {
  return ceiling < 1 || ceiling > 99 ? HEDDLE_EINVAL : 0;
}

int pthread_mutexattr_getprioceiling(const void *attributes, int *ceiling) {
  *ceiling = __VERIFIER_nondet_int();
  return 0;
}

int pthread_mutex_setprioceiling(void *mutex, int ceiling, int *old) {
  __heddle_unsupported("pthread_mutex_setprioceiling");
  return HEDDLE_EINVAL;
}

int pthread_mutex_getprioceiling(const void *mutex, int *ceiling) {
  __heddle_unsupported("pthread_mutex_getprioceiling");
  return HEDDLE_EINVAL;
}
