// Only a join orders the end of a thread before what main does next.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int done;

void *worker(void *arg) {
  done = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  check(done);
  return 0;
}
