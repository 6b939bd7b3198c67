// __VERIFIER_assume discards the executions that do not fit: it neither waits nor fails.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}
extern void __VERIFIER_assume(int condition);
extern _Bool __VERIFIER_nondet_bool(void);

int flag;

void *worker(void *arg) {
  flag = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  _Bool choice = __VERIFIER_nondet_bool();
  pthread_create(&thread, 0, worker, 0);
  __VERIFIER_assume(flag == choice);
  check(flag == choice);
  pthread_join(thread, 0);
  return 0;
}
