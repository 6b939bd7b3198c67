// When main returns the process ends, even with a thread that would wait forever.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }

int go;

void *worker(void *arg) {
  while (!go) {
  }
  reach_error();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  return 0;
}
