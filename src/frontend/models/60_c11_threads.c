// C11 threads.h, on the same helpers as POSIX threads and with glibc's types and result codes.

enum {
  HEDDLE_THRD_SUCCESS = 0,
  HEDDLE_THRD_BUSY = 1,
  HEDDLE_THRD_ERROR = 2,
  HEDDLE_THRD_TIMEDOUT = 4
};

static int heddle_c11_result(int error) {
  if (error == 0) return HEDDLE_THRD_SUCCESS;
  if (error == HEDDLE_EBUSY) return HEDDLE_THRD_BUSY;
  if (error == HEDDLE_ETIMEDOUT) return HEDDLE_THRD_TIMEDOUT;
  return HEDDLE_THRD_ERROR;
}

SYNC(thread_create)
int thrd_create(unsigned long *handle, int (*routine)(void *), void *argument) {
  struct heddle_thread *thread = heddle_new_thread(0, routine, argument, 0);
  heddle_start(handle, thread, heddle_run_c11);
  return HEDDLE_THRD_SUCCESS;
}

SYNC(thread_join)
int thrd_join(unsigned long handle, int *result) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  int error = heddle_join(thread);
  if (error == 0 && result != 0) *result = (int)(__INTPTR_TYPE__)thread->result;
  return heddle_c11_result(error);
}

SYNC(thread_exit)
void thrd_exit(int result) { heddle_leave_thread((void *)(__INTPTR_TYPE__)result); }

int thrd_detach(unsigned long handle) {
  return heddle_c11_result(heddle_detach((struct heddle_thread *)handle));
}

unsigned long thrd_current(void) { return (unsigned long)heddle_current(); }

int thrd_equal(unsigned long left, unsigned long right) { return left == right; }

int thrd_sleep(const void *duration, void *remaining) { return 0; }

void thrd_yield(void) {}

// The type is plain (0) or timed (2), either of them with recursive (1).
SYNC(mutex_init)
int mtx_init(void *mutex, int type) {
  if (type < 0 || type > 3) return HEDDLE_THRD_ERROR;
  heddle_mutex_init(mutex, (type & 1) != 0 ? HEDDLE_MUTEX_RECURSIVE : HEDDLE_MUTEX_NORMAL);
  return HEDDLE_THRD_SUCCESS;
}

SYNC(mutex_destroy)
void mtx_destroy(void *mutex) {}

SYNC(mutex_lock)
int mtx_lock(void *mutex) { return heddle_c11_result(heddle_mutex_lock(mutex)); }

SYNC(mutex_trylock)
int mtx_trylock(void *mutex) { return heddle_c11_result(heddle_mutex_trylock(mutex)); }

SYNC(mutex_trylock)
int mtx_timedlock(void *mutex, const void *deadline) {
  return heddle_c11_result(heddle_mutex_timedlock(mutex, deadline));
}

SYNC(mutex_unlock)
int mtx_unlock(void *mutex) { return heddle_c11_result(heddle_mutex_unlock(mutex)); }

int cnd_init(void *cond) {
  heddle_cond_init(cond);
  return HEDDLE_THRD_SUCCESS;
}

void cnd_destroy(void *cond) { heddle_cond_destroy(cond); }

SYNC(cond_wait)
int cnd_wait(void *cond, void *mutex) { return heddle_c11_result(heddle_cond_wait(cond, mutex)); }

SYNC(cond_wait)
int cnd_timedwait(void *cond, void *mutex, const void *deadline) {
  return heddle_c11_result(heddle_cond_timedwait(cond, mutex, deadline));
}

SYNC(cond_signal)
int cnd_signal(void *cond) {
  heddle_cond_signal(cond);
  return HEDDLE_THRD_SUCCESS;
}

SYNC(cond_broadcast)
int cnd_broadcast(void *cond) {
  heddle_cond_broadcast(cond);
  return HEDDLE_THRD_SUCCESS;
}

SYNC(once)
void call_once(void *flag, void (*routine)(void)) { heddle_once(flag, routine); }

int tss_create(unsigned *key, void (*destructor)(void *)) {
  heddle_key_create(key, destructor);
  return HEDDLE_THRD_SUCCESS;
}

void tss_delete(unsigned key) { heddle_key_delete(key); }

int tss_set(unsigned key, void *value) {
  return heddle_c11_result(heddle_set_specific(key, value));
}

void *tss_get(unsigned key) { return heddle_get_specific(key); }
