// exit called by a thread ends main as well.
#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }

void *worker(void *arg) {
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  reach_error();
  return 0;
}
