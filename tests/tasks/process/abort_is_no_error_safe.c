// abort ends the process and is no violation by itself.
#include <pthread.h>
#include <stdlib.h>
void reach_error(void) { exit(1); }

int go;

void *worker(void *arg) {
  if (go) abort();
  if (go) go = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  go = 1;
  pthread_join(thread, 0);
  return 0;
}
