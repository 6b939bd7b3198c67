// Dekker's mutual exclusion; the broken one looks at the other's flag before raising its own.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int flags[2], turn;
int inside;

static void enter_and_leave(int self) {
  int other = 1 - self;
  while (flags[other]) {
  }
  flags[self] = 1;
  inside = self;
  check(inside == self);
  turn = other;
  flags[self] = 0;
}

void *worker(void *arg) {
  enter_and_leave(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  enter_and_leave(0);
  pthread_join(thread, 0);
  return 0;
}
