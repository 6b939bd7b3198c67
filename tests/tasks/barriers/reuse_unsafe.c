// A barrier can be used again at once: each round waits for all. Leaving one round out
// lets a thread run ahead.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int turn;
pthread_barrier_t barrier;

void *worker(void *arg) {
  pthread_barrier_wait(&barrier);
  check(turn == 1);
  pthread_barrier_wait(&barrier);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, worker, 0);
  pthread_barrier_wait(&barrier);
  turn = 1;
  pthread_barrier_wait(&barrier);
  pthread_join(thread, 0);
  pthread_barrier_destroy(&barrier);
  return 0;
}
