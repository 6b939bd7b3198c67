// Sleeping and yielding make an order likely, never certain.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int done;

void *worker(void *arg) {
  sched_yield();
  done = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  usleep(10);
  check(done == 1);
  return 0;
}
