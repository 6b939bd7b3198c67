// Unnamed semaphores: a sem_t is its value. Who holds a semaphore is unknown to POSIX, so waiting
// for one is waiting for anybody.

struct heddle_semaphore {
  _Atomic unsigned value;  // at most 0x7fffffff
};

enum { HEDDLE_SEMAPHORE_MAX = 0x7fffffff };

static int heddle_semaphore_error(int error) {
  heddle_errno = error;
  return -1;
}

int sem_init(void *object, int shared, unsigned value) {
  if (value > HEDDLE_SEMAPHORE_MAX) return heddle_semaphore_error(HEDDLE_EINVAL);
  ((struct heddle_semaphore *)object)->value = value;
  return 0;
}

int sem_destroy(void *object) { return 0; }

SYNC(sem_wait)
int sem_wait(void *object) {
  struct heddle_semaphore *semaphore = object;
  __heddle_atomic_begin();
  __heddle_await(semaphore->value != 0);
  semaphore->value = semaphore->value - 1;
  __heddle_atomic_end();
  return 0;
}

// Whether a unit was there to be taken.
static int heddle_semaphore_take(struct heddle_semaphore *semaphore) {
  __heddle_atomic_begin();
  unsigned value = semaphore->value;
  if (value != 0) semaphore->value = value - 1;
  __heddle_atomic_end();
  return value != 0;
}

SYNC(sem_trywait)
int sem_trywait(void *object) {
  if (heddle_semaphore_take(object)) return 0;
  return heddle_semaphore_error(HEDDLE_EAGAIN);
}

SYNC(sem_trywait)
int sem_timedwait(void *object, const void *deadline) {
  if (heddle_is_bad_time(deadline)) return heddle_semaphore_error(HEDDLE_EINVAL);
  if (heddle_semaphore_take(object)) return 0;
  return heddle_semaphore_error(HEDDLE_ETIMEDOUT);
}

SYNC(sem_trywait)
int sem_clockwait(void *object, int clock, const void *deadline) {
  if (heddle_is_bad_time(deadline)) return heddle_semaphore_error(HEDDLE_EINVAL);
  if (heddle_semaphore_take(object)) return 0;
  return heddle_semaphore_error(HEDDLE_ETIMEDOUT);
}

SYNC(sem_post)
int sem_post(void *object) {
  struct heddle_semaphore *semaphore = object;
  __heddle_atomic_begin();
  unsigned value = semaphore->value;
  if (value < HEDDLE_SEMAPHORE_MAX) semaphore->value = value + 1;
  __heddle_atomic_end();
  if (value >= HEDDLE_SEMAPHORE_MAX) return heddle_semaphore_error(HEDDLE_EOVERFLOW);
  return 0;
}

int sem_getvalue(void *object, int *value) {
  *value = (int)((struct heddle_semaphore *)object)->value;
  return 0;
}

void *sem_open(const char *name, int flags, ...) {
  __heddle_unsupported("sem_open");
  return 0;
}

int sem_close(void *object) {
  __heddle_unsupported("sem_close");
  return 0;
}

int sem_unlink(const char *name) {
  __heddle_unsupported("sem_unlink");
  return 0;
}
