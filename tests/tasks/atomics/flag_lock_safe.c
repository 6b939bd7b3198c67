// atomic_flag as a spin lock; the broken one looks first and takes it later.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_flag lock = ATOMIC_FLAG_INIT;
int counter;

void *worker(void *arg) {
  while (atomic_flag_test_and_set(&lock)) {
  }
  counter++;
  atomic_flag_clear(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(counter == 2);
  return 0;
}
