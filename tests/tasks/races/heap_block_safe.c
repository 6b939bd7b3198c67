// A heap block is shared once its address is; a thread's own block is not.
#include <pthread.h>
#include <stdlib.h>

int *shared;

void *worker(void *arg) {
  int *block = malloc(sizeof(int));
  *block = 1;
  free(block);
  return 0;
}

int main(void) {
  pthread_t thread;
  shared = malloc(sizeof(int));
  pthread_create(&thread, 0, worker, 0);
  *shared = 2;
  pthread_join(thread, 0);
  free(shared);
  return 0;
}
