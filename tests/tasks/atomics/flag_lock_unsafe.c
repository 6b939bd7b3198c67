// atomic_flag as a spin lock; the broken one looks first and takes it later.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_bool lock;
int counter;

void *worker(void *arg) {
  while (atomic_load(&lock)) {
  }
  atomic_store(&lock, 1);
  counter++;
  atomic_store(&lock, 0);
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
