// One thread frees what another still uses.
#include <pthread.h>
#include <stdlib.h>

int *block;

void *worker(void *arg) {
  *block = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  block = malloc(sizeof(int));
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  free(block);
  return 0;
}
