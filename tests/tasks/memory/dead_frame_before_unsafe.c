// A function remembers where its variable was in the call before.
#include <pthread.h>

int result;

static void difference(int number) {
  static int *before;
  int now = number;
  if (before != 0) result = now - *before;
  before = &now;
}

void *worker(void *arg) {
  difference(1);
  difference(3);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
