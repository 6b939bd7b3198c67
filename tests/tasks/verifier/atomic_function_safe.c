// A function whose name starts with __VERIFIER_atomic_ is one step.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int left = 5, right = 5;

static void __VERIFIER_atomic_move(void) {
  left--;
  right++;
}

static int __VERIFIER_atomic_sum(void) { return left + right; }

void *worker(void *arg) {
  __VERIFIER_atomic_move();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  check(__VERIFIER_atomic_sum() == 10);
  pthread_join(thread, 0);
  return 0;
}
