// Exactly one of the threads at a barrier is told that it is the serial one.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_barrier_t barrier;
int serial[2];

void *worker(void *arg) {
  serial[1] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&thread, 0, worker, 0);
  serial[0] = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
  pthread_join(thread, 0);
  check(serial[0] + serial[1] == 2);
  return 0;
}
