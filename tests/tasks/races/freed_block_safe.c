// A block is freed once nobody can read it any more.
#include <pthread.h>
#include <stdlib.h>

int *block;

void *reader(void *arg) {
  return *block == 7 ? arg : 0;
}

int main(void) {
  pthread_t thread;
  block = malloc(sizeof(int));
  *block = 7;
  pthread_create(&thread, 0, reader, 0);
  pthread_join(thread, 0);
  free(block);
  return 0;
}
