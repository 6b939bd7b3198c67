// A pointer to a local is dead once its function has returned.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_t thread;

void *worker(void *arg) {
  *(int *)arg = 1;
  return 0;
}

static void start(void) {
  int local = 0;
  pthread_create(&thread, 0, worker, &local);
  pthread_join(thread, 0);
  check(local == 1);
}

int main(void) {
  start();
  return 0;
}
