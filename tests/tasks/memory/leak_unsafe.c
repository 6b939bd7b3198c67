// A block is lost when the last pointer to it is overwritten.
#include <pthread.h>
#include <stdlib.h>

int *slot;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  int *block = malloc(sizeof(int));
  pthread_mutex_lock(&lock);
  slot = block;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  free(slot);
  return 0;
}
