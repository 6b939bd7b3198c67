// Different elements of an array do not conflict, even bytes side by side.
#include <pthread.h>

char array[2];

void *worker(void *arg) {
  array[1] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  array[0] = 2;
  pthread_join(thread, 0);
  return 0;
}
