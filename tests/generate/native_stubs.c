// What a generated program needs besides the C library when it runs natively: the error
// ends the process with a code of its own, and atomic sections exclude each other.
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

void reach_error(void) {
  fputs("reach_error\n", stderr);
  _exit(42);
}

static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;

void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }

// Another sequence in every run: the clock differs.
_Bool __VERIFIER_nondet_bool(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  unsigned long mixed = (unsigned long)now.tv_nsec * 0x9e3779b97f4a7c15UL;
  return (mixed >> 60) & 1;
}
