// A function returns the address of its own variable, and the caller uses it.
#include <pthread.h>

int seen;

static int *counter(void) {
  int count = 1;
  int *address = &count;
  return address;
}

void *worker(void *arg) {
  seen = *counter();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
