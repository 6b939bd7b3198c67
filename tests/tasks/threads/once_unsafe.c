// pthread_once runs its routine once, and all callers wait for its end.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int started;
int runs;

static void initialise(void) { runs = runs + 1; }

static void need(void) {
  if (!started) {
    started = 1;
    initialise();
  }
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
