// pthread_self in a thread equals the handle that its creator got.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_t worker_self;

void *worker(void *arg) {
  worker_self = pthread_self();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(pthread_equal(thread, worker_self));
  check(!pthread_equal(pthread_self(), worker_self));
  return 0;
}
