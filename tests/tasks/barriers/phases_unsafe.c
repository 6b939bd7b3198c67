// A barrier orders all of one phase before all of the next.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int cells[2];
pthread_barrier_t barrier;

void *worker(void *arg) {
  cells[1] = 1;
  check(cells[0] == 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, worker, 0);
  cells[0] = 1;
  check(cells[1] == 1);
  pthread_join(thread, 0);
  return 0;
}
