// __sync_lock_test_and_set and __sync_lock_release make a spin lock.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int lock, counter;

void *worker(void *arg) {
  while (__sync_lock_test_and_set(&lock, 1)) {
  }
  counter++;
  __sync_lock_release(&lock);
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
