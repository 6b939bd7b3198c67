// A block is freed while another thread may be reading it: freeing counts as a write.
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
  free(block);
  pthread_join(thread, 0);
  return 0;
}
