// Two threads may both find the block not yet freed.
#include <pthread.h>
#include <stdlib.h>

int *block;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *release(void *arg) {
  pthread_mutex_lock(&lock);
  int *mine = block;
  pthread_mutex_unlock(&lock);
  if (mine) {
    free(mine);
    pthread_mutex_lock(&lock);
    block = 0;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t first, second;
  block = malloc(sizeof(int));
  pthread_create(&first, 0, release, 0);
  pthread_create(&second, 0, release, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
