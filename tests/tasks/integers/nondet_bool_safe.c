// A boolean input takes both values.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}
extern _Bool __VERIFIER_nondet_bool(void);

int value;

void *worker(void *arg) {
  _Bool input = __VERIFIER_nondet_bool();
  value = input ? 3 : 5;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(value == 3 || value == 5);
  return 0;
}
