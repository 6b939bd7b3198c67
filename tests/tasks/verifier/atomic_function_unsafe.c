// A function whose name starts with __VERIFIER_atomic_ is one step.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int left = 5, right = 5;

static void move(void) {
  left--;
  right++;
}

static int sum(void) { return left + right; }

void *worker(void *arg) {
  move();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  check(sum() == 10);
  pthread_join(thread, 0);
  return 0;
}
