// Nothing orders a detached thread's write before main's read.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int value;

void *worker(void *arg) {
  value = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  check(pthread_detach(thread) == 0);
  int seen = value;
  check(seen == 0);
  return 0;
}
