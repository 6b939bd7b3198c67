// The __atomic builtins on plain objects: a load and a store are two steps.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

long counter;

void *worker(void *arg) {
  long seen = __atomic_load_n(&counter, __ATOMIC_ACQUIRE);
  __atomic_store_n(&counter, seen + 1, __ATOMIC_RELEASE);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(__atomic_load_n(&counter, __ATOMIC_SEQ_CST) == 2);
  return 0;
}
