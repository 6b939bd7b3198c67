// A pointer to a local is dead once its function has returned.
#include <pthread.h>

pthread_t thread;

void *worker(void *arg) {
  *(int *)arg = 1;
  return 0;
}

static void start(void) {
  int local = 0;
  pthread_create(&thread, 0, worker, &local);
}

int main(void) {
  start();
  pthread_join(thread, 0);
  return 0;
}
