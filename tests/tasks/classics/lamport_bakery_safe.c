// Lamport's bakery: take a number, then wait for all smaller ones. Without the note that a
// number is being chosen, a late one can be overlooked.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int choosing[2];
int number[2];
int inside;

static void enter_and_leave(int self) {
  int other = 1 - self;
  choosing[self] = 1;
  number[self] = number[other] + 1;
  choosing[self] = 0;
  while (choosing[other]) {
  }
  for (;;) {
    int theirs = number[other];
    if (theirs == 0 || theirs > number[self]) break;
    if (theirs == number[self] && other > self) break;
  }
  inside = self;
  check(inside == self);
  number[self] = 0;
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
