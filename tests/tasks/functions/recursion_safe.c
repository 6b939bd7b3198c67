// Recursion in two threads: each call has its own locals.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int results[2];

static int odd(int n);
static int even(int n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(int n) { return n == 0 ? 0 : even(n - 1); }

static int factorial(int n) {
  if (n <= 1) return 1;
  return n * factorial(n - 1);
}

void *worker(void *arg) {
  results[0] = factorial(4);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  results[1] = even(3) + 2 * odd(3);
  pthread_join(thread, 0);
  check(results[0] == 24);
  check(results[1] == 2);
  return 0;
}
