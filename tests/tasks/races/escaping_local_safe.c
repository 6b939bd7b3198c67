// A local of main is shared as soon as a thread gets its address.
#include <pthread.h>

void *worker(void *arg) {
  int *number = arg;
  *number = *number + 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  int local = 1;
  pthread_create(&thread, 0, worker, &local);
  pthread_join(thread, 0);
  local = 2;
  return local - 2;
}
