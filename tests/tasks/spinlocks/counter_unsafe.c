// A spin lock excludes others as a mutex does; trylock tells when it is taken.
#include <errno.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter;
pthread_spinlock_t lock;

void *worker(void *arg) {
  pthread_spin_lock(&lock);
  counter++;
  pthread_spin_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&thread, 0, worker, 0);
  counter++;
  pthread_join(thread, 0);
  check(counter == 2);
  pthread_spin_destroy(&lock);
  return 0;
}
