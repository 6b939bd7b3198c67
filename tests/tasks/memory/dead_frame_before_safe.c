// A function remembers what its variable was in the call before.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

static int difference(int number) {
  static int before;
  int now = number, *address = &now;
  int result = *address - before;
  before = *address;
  return result;
}

void *worker(void *arg) {
  check(difference(1) == 1);
  check(difference(3) == 2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
