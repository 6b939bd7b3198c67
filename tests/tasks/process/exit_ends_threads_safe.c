// exit ends the whole process: what other threads would do later does not count.
#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }

int go;

void *worker(void *arg) {
  if (go) reach_error();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  exit(0);
  go = 1;
}
