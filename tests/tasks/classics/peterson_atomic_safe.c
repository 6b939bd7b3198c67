// Peterson's algorithm with atomics protects plain data; a flag that is raised only after the
// waiting protects nothing.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_int flags[2], turn;
int counter;

static void add(int self) {
  int other = 1 - self;
  flags[self] = 1;
  turn = other;
  while (flags[other] && turn == other) {
  }
  counter++;
  flags[self] = 0;
}

void *worker(void *arg) {
  add(1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  add(0);
  pthread_join(thread, 0);
  check(counter == 2);
  return 0;
}
