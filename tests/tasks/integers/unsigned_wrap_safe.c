// Unsigned arithmetic wraps: a counter at its maximum goes on at zero.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

unsigned int counter = 4294967295u;

void *worker(void *arg) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(counter == 0);
  return 0;
}
