// The rest of stdlib.h, time.h and unistd.h that concurrent programs use, and how a process ends.

void exit(int status) { __heddle_exit_process(); }
void _exit(int status) { __heddle_exit_process(); }
void _Exit(int status) { __heddle_exit_process(); }
void quick_exit(int status) { __heddle_exit_process(); }
void abort(void) { __heddle_abort(); }

int atexit(void (*handler)(void)) {
  __heddle_unsupported("atexit");
  return 0;
}

int at_quick_exit(void (*handler)(void)) {
  __heddle_unsupported("at_quick_exit");
  return 0;
}

int on_exit(void (*handler)(int, void *), void *argument) {
  __heddle_unsupported("on_exit");
  return 0;
}

static void heddle_assertion_failed(void) {
  __heddle_fail("assertion");
  __heddle_abort();
}

void __assert_fail(const char *text, const char *file, unsigned line, const char *function) {
  heddle_assertion_failed();
}

void __assert_perror_fail(int error, const char *file, unsigned line, const char *function) {
  heddle_assertion_failed();
}

void __assert(const char *text, const char *file, int line) { heddle_assertion_failed(); }

void __assert_rtn(const char *function, const char *file, int line, const char *text) {
  heddle_assertion_failed();
}

// For programs that declare it themselves instead of including assert.h.
void assert(int condition) {
  if (condition == 0) heddle_assertion_failed();
}

static int heddle_any_natural(void) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0);
  return value;
}

int rand(void) { return heddle_any_natural(); }
int rand_r(unsigned *seed) {
  *seed = (unsigned)__VERIFIER_nondet_int();
  return heddle_any_natural();
}
long random(void) { return heddle_any_natural(); }
long lrand48(void) { return heddle_any_natural(); }
long mrand48(void) { return __VERIFIER_nondet_int(); }
void srand(unsigned seed) {}
void srandom(unsigned seed) {}
void srand48(long seed) {}

static long heddle_any_seconds(void) {
  long seconds = __VERIFIER_nondet_long();
  __VERIFIER_assume(seconds >= 0);
  return seconds;
}

static long heddle_any_fraction(long limit) {
  long fraction = __VERIFIER_nondet_long();
  __VERIFIER_assume(fraction >= 0 && fraction < limit);
  return fraction;
}

long time(long *result) {
  long seconds = heddle_any_seconds();
  if (result != 0) *result = seconds;
  return seconds;
}

long clock(void) { return heddle_any_seconds(); }

int gettimeofday(long *result, void *zone) {
  if (zone != 0) __heddle_unsupported("gettimeofday with a time zone");
  if (result != 0) {
    result[0] = heddle_any_seconds();
    result[1] = heddle_any_fraction(1000000);
  }
  return 0;
}

int clock_gettime(int clock, struct heddle_timespec *result) {
  result->seconds = heddle_any_seconds();
  result->nanoseconds = heddle_any_fraction(1000000000);
  return 0;
}

int timespec_get(struct heddle_timespec *result, int base) {
  if (base != 1) return 0;
  result->seconds = heddle_any_seconds();
  result->nanoseconds = heddle_any_fraction(1000000000);
  return base;
}

// How long a thread sleeps is up to the scheduler in any case.
unsigned sleep(unsigned seconds) { return 0; }
int usleep(unsigned microseconds) { return 0; }
int nanosleep(const void *duration, void *remaining) { return 0; }
int clock_nanosleep(int clock, int flags, const void *duration, void *remaining) { return 0; }
int sched_yield(void) { return 0; }

static _Atomic int heddle_process;  // 0 until somebody asks

int getpid(void) {
  __heddle_atomic_begin();
  int process = heddle_process;
  if (process == 0) {
    process = __VERIFIER_nondet_int();
    __VERIFIER_assume(process > 0);
    heddle_process = process;
  }
  __heddle_atomic_end();
  return process;
}

// A variable of the environment may be unset; the text of one that is set is not modelled.
char *getenv(const char *name) {
  if (__heddle_choose(2) != 0) __heddle_unsupported("getenv of a variable that is set");
  return 0;
}

int fork(void) {
  __heddle_unsupported("fork");
  return 0;
}

int vfork(void) {
  __heddle_unsupported("vfork");
  return 0;
}

int raise(int number) {
  __heddle_unsupported("raise");
  return 0;
}

int kill(int process, int number) {
  __heddle_unsupported("kill");
  return 0;
}

void (*signal(int number, void (*handler)(int)))(int) {
  __heddle_unsupported("signal");
  return 0;
}

int sigaction(int number, const void *action, void *old) {
  __heddle_unsupported("sigaction");
  return 0;
}

unsigned alarm(unsigned seconds) {
  __heddle_unsupported("alarm");
  return 0;
}

int abs(int value) { return value < 0 ? -value : value; }
long labs(long value) { return value < 0 ? -value : value; }
long long llabs(long long value) { return value < 0 ? -value : value; }

unsigned short htons(unsigned short value) {
  return (unsigned short)((value << 8) | (value >> 8));
}

unsigned short ntohs(unsigned short value) {
  return (unsigned short)((value << 8) | (value >> 8));
}

static unsigned heddle_swap_bytes(unsigned value) {
  return (value << 24) | ((value & 0xff00u) << 8) | ((value >> 8) & 0xff00u) | (value >> 24);
}

unsigned htonl(unsigned value) { return heddle_swap_bytes(value); }
unsigned ntohl(unsigned value) { return heddle_swap_bytes(value); }
