// Threads from create to join. A pthread_t (and a thrd_t) is the address of the thread's control
// block, whose `running` word is what a join waits for: it names the thread as long as it runs.

struct heddle_thread {
  _Atomic int running;    // number + 1 of the thread (of its creator until it starts), 0 once ended
  _Atomic int detached;   // 0, 1, or 2 once it has been joined: its handle is dead then
  void *_Atomic result;   // set before running turns 0
  void *(*routine)(void *);      // of a POSIX thread; never changes
  int (*c11_routine)(void *);    // of a C11 thread; never changes
  void *argument;                // never changes
};

static struct heddle_thread heddle_main_thread = {.running = 1};

static _Thread_local struct heddle_thread *heddle_me;  // null in main until it is asked for
// Cleanup handlers that wait for a pop: leaving the thread past them needs unwinding.
static _Thread_local int heddle_cleanup_depth;
// Runs the destructors of thread-specific data; null in a thread that has none.
static _Thread_local void (*heddle_exit_hook)(void);

static struct heddle_thread *heddle_current(void) {
  if (heddle_me == 0) heddle_me = &heddle_main_thread;
  return heddle_me;
}

static void heddle_end(struct heddle_thread *self, void *result) {
  if (heddle_exit_hook != 0) heddle_exit_hook();
  __heddle_atomic_begin();
  self->result = result;
  self->running = 0;
  __heddle_atomic_end();
}

static void heddle_run_posix(void *block) {
  struct heddle_thread *self = block;
  __heddle_atomic_begin();
  heddle_me = self;
  void *(*routine)(void *) = self->routine;
  void *argument = self->argument;
  __heddle_atomic_end();
  void *result = routine(argument);
  heddle_end(self, result);
}

static void heddle_run_c11(void *block) {
  struct heddle_thread *self = block;
  __heddle_atomic_begin();
  heddle_me = self;
  int (*routine)(void *) = self->c11_routine;
  void *argument = self->argument;
  __heddle_atomic_end();
  int result = routine(argument);
  heddle_end(self, (void *)(__INTPTR_TYPE__)result);
}

// As glibc does, the handle is stored before the new thread starts. Until the spawn the block names
// its creator, so that whoever reads the handle early and joins waits for a thread that can go on.
static void heddle_start(unsigned long *handle, struct heddle_thread *thread,
                         void (*run)(void *)) {
  if (handle != 0) *handle = (unsigned long)thread;
  __heddle_atomic_begin();
  thread->running = __heddle_spawn(run, thread);
  __heddle_atomic_end();
}

static struct heddle_thread *heddle_new_thread(void *(*routine)(void *),
                                               int (*c11_routine)(void *), void *argument,
                                               int detached) {
  __heddle_atomic_begin();
  struct heddle_thread *thread = __heddle_allocate(sizeof(struct heddle_thread));
  thread->running = __heddle_self();
  thread->detached = detached;
  thread->result = (void *)0;
  thread->routine = routine;
  thread->c11_routine = c11_routine;
  thread->argument = argument;
  __heddle_atomic_end();
  return thread;
}

static void heddle_leave_thread(void *result) {
  if (heddle_cleanup_depth != 0) {
    __heddle_unsupported("leaving a thread past a cleanup handler");
  }
  heddle_end(heddle_current(), result);
  __heddle_exit_thread();
}

// Inside an atomic section. POSIX leaves open what becomes of a handle after the join.
static void heddle_use_handle(struct heddle_thread *thread) {
  if (thread->detached == 2) {
    __heddle_unsupported("undefined: a thread that was joined before is joined or detached");
  }
}

// Once it gives 0, the result of the thread stands in its block for good.
static int heddle_join(struct heddle_thread *thread) {
  if (thread == heddle_current()) return HEDDLE_EDEADLK;
  __heddle_atomic_begin();
  heddle_use_handle(thread);
  if (thread->detached != 0) {
    __heddle_atomic_end();
    return HEDDLE_EINVAL;
  }
  __heddle_await_holder(thread->running == 0);
  thread->detached = 2;
  __heddle_atomic_end();
  return 0;
}

static int heddle_join_if_ended(struct heddle_thread *thread, int otherwise) {
  if (thread == heddle_current()) return HEDDLE_EDEADLK;
  __heddle_atomic_begin();
  heddle_use_handle(thread);
  int detached = thread->detached;
  int running = thread->running;
  if (detached == 0 && running == 0) thread->detached = 2;
  __heddle_atomic_end();
  if (detached != 0) return HEDDLE_EINVAL;
  return running == 0 ? 0 : otherwise;
}

static int heddle_detach(struct heddle_thread *thread) {
  __heddle_atomic_begin();
  heddle_use_handle(thread);
  int detached = thread->detached;
  thread->detached = 1;
  __heddle_atomic_end();
  return detached != 0 ? HEDDLE_EINVAL : 0;
}

// The detach state is all of an attribute object that the start of a thread looks at.
static int heddle_detached_by(const void *attributes) {
  if (attributes == 0) return 0;
  return *(const _Atomic int *)attributes;
}

SYNC(thread_create)
int pthread_create(unsigned long *handle, const void *attributes, void *(*routine)(void *),
                   void *argument) {
  struct heddle_thread *thread =
      heddle_new_thread(routine, 0, argument, heddle_detached_by(attributes));
  heddle_start(handle, thread, heddle_run_posix);
  return 0;
}

SYNC(thread_join)
int pthread_join(unsigned long handle, void **result) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  int error = heddle_join(thread);
  if (error == 0 && result != 0) *result = thread->result;
  return error;
}

int pthread_tryjoin_np(unsigned long handle, void **result) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  int error = heddle_join_if_ended(thread, HEDDLE_EBUSY);
  if (error == 0 && result != 0) *result = thread->result;
  return error;
}

int pthread_timedjoin_np(unsigned long handle, void **result, const void *deadline) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  if (deadline != 0 && heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  int error = deadline == 0 ? heddle_join(thread) : heddle_join_if_ended(thread, HEDDLE_ETIMEDOUT);
  if (error == 0 && result != 0) *result = thread->result;
  return error;
}

int pthread_clockjoin_np(unsigned long handle, void **result, int clock, const void *deadline) {
  struct heddle_thread *thread = (struct heddle_thread *)handle;
  if (deadline != 0 && heddle_is_bad_time(deadline)) return HEDDLE_EINVAL;
  int error = deadline == 0 ? heddle_join(thread) : heddle_join_if_ended(thread, HEDDLE_ETIMEDOUT);
  if (error == 0 && result != 0) *result = thread->result;
  return error;
}

SYNC(thread_exit)
void pthread_exit(void *result) { heddle_leave_thread(result); }

int pthread_detach(unsigned long handle) { return heddle_detach((struct heddle_thread *)handle); }

unsigned long pthread_self(void) { return (unsigned long)heddle_current(); }

int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

int pthread_yield(void) { return 0; }

int pthread_setconcurrency(int level) { return level < 0 ? HEDDLE_EINVAL : 0; }

int pthread_setname_np(unsigned long handle, const char *name) { return 0; }

int pthread_setaffinity_np(unsigned long handle, size_t size, const void *set) { return 0; }

// Priorities change no interleaving; whether the system permits them is open.
int pthread_setschedparam(unsigned long handle, int policy, const void *parameters) {
  return __heddle_choose(2) == 0 ? 0 : HEDDLE_EPERM;
}

int pthread_setschedprio(unsigned long handle, int priority) {
  return __heddle_choose(2) == 0 ? 0 : HEDDLE_EPERM;
}

// Without signals a mask changes nothing, and without fork its handlers never run.
int pthread_sigmask(int how, const void *set, void *old) {
  if (old != 0) __heddle_unsupported("pthread_sigmask with an old mask");
  return 0;
}

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) { return 0; }

int pthread_kill(unsigned long handle, int signal) {
  if (signal != 0) __heddle_unsupported("pthread_kill");
  return 0;
}
