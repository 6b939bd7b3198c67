// An access that no execution reaches does not race.
#include <pthread.h>
#include <stdatomic.h>

int value;
atomic_int mode;

void *worker(void *arg) {
  if (atomic_load(&mode) == 2) value = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  atomic_store(&mode, 1);
  value = 2;
  pthread_join(thread, 0);
  return 0;
}
