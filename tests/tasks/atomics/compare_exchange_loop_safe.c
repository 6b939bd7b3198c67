// A compare-exchange that fails tells the value found and must be tried again.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_int counter;

void *worker(void *arg) {
  int seen = atomic_load(&counter);
  while (!atomic_compare_exchange_weak(&counter, &seen, seen + 1)) {
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(atomic_load(&counter) == 2);
  return 0;
}
