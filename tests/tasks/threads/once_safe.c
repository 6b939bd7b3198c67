// pthread_once runs its routine once, and all callers wait for its end.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_once_t once = PTHREAD_ONCE_INIT;
int runs;

static void initialise(void) { runs = runs + 1; }

static void need(void) {
  pthread_once(&once, initialise);
  check(runs == 1);
}

void *worker(void *arg) {
  need();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  need();
  pthread_join(thread, 0);
  return 0;
}
