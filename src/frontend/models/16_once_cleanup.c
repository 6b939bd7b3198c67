// Run-once initialisers, cleanup handlers and cancellation. Cancelling a thread is not supported
// and says so, hence all that only prepares for it is harmless; a handler that a thread would have
// to run while it unwinds is not supported either.

enum { HEDDLE_ONCE_DONE = -1 };

// The control word is 0 before, the number + 1 of the initialising thread meanwhile, -1 after.
static void heddle_once(_Atomic int *control, void (*routine)(void)) {
  __heddle_atomic_begin();
  if (*control != 0) {
    __heddle_await_holder(*control == HEDDLE_ONCE_DONE);
    __heddle_atomic_end();
    return;
  }
  *control = __heddle_self();
  __heddle_atomic_end();
  heddle_cleanup_depth = heddle_cleanup_depth + 1;
  routine();
  heddle_cleanup_depth = heddle_cleanup_depth - 1;
  __heddle_atomic_begin();
  *control = HEDDLE_ONCE_DONE;
  __heddle_atomic_end();
}

SYNC(once)
int pthread_once(void *control, void (*routine)(void)) {
  heddle_once(control, routine);
  return 0;
}

int pthread_cancel(unsigned long handle) {
  __heddle_unsupported("pthread_cancel");
  return 0;
}

void pthread_testcancel(void) {}

static _Thread_local int heddle_cancel_state;
static _Thread_local int heddle_cancel_type;

int pthread_setcancelstate(int state, int *old) {
  if (state != 0 && state != 1) return HEDDLE_EINVAL;
  if (old != 0) *old = heddle_cancel_state;
  heddle_cancel_state = state;
  return 0;
}

int pthread_setcanceltype(int type, int *old) {
  if (type != 0 && type != 1) return HEDDLE_EINVAL;
  if (old != 0) *old = heddle_cancel_type;
  heddle_cancel_type = type;
  return 0;
}

// What glibc's pthread_cleanup_push and pthread_cleanup_pop expand to.
void __pthread_register_cancel(void *buffer) { heddle_cleanup_depth = heddle_cleanup_depth + 1; }
void __pthread_unregister_cancel(void *buffer) { heddle_cleanup_depth = heddle_cleanup_depth - 1; }
void __pthread_register_cancel_defer(void *buffer) {
  heddle_cleanup_depth = heddle_cleanup_depth + 1;
}
void __pthread_unregister_cancel_restore(void *buffer) {
  heddle_cleanup_depth = heddle_cleanup_depth - 1;
}
void __pthread_unwind_next(void *buffer) {
  __heddle_unsupported("running a cleanup handler by unwinding");
}

// The form of older systems.
struct heddle_cleanup {
  void (*routine)(void *);
  void *argument;
};

void _pthread_cleanup_push(void *buffer, void (*routine)(void *), void *argument) {
  struct heddle_cleanup *cleanup = buffer;
  cleanup->routine = routine;
  cleanup->argument = argument;
  heddle_cleanup_depth = heddle_cleanup_depth + 1;
}

void _pthread_cleanup_pop(void *buffer, int execute) {
  struct heddle_cleanup *cleanup = buffer;
  heddle_cleanup_depth = heddle_cleanup_depth - 1;
  if (execute != 0) cleanup->routine(cleanup->argument);
}

// The first return of setjmp is the only one, since a jump back is not supported.
int setjmp(void *environment) { return 0; }
int _setjmp(void *environment) { return 0; }
int __sigsetjmp(void *environment, int mask) { return 0; }
int __sigsetjmp_cancel(void *environment, int mask) { return 0; }
int sigsetjmp(void *environment, int mask) { return 0; }
void longjmp(void *environment, int value) { __heddle_unsupported("longjmp"); }
void _longjmp(void *environment, int value) { __heddle_unsupported("longjmp"); }
void siglongjmp(void *environment, int value) { __heddle_unsupported("siglongjmp"); }
