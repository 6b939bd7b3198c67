// Szymanski's mutual exclusion: a waiting room with two doors. The broken one does not close
// the door behind itself.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int flags[2];
int inside;

static void enter_and_leave(int self) {
  int other = 1 - self;
  flags[self] = 1;
  while (flags[other] >= 3) {
  }
  flags[self] = 4;
  if (self == 1) {
    while (flags[other] >= 2) {
    }
  }
  inside = self;
  check(inside == self);
  if (self == 0) {
    int seen;
    do {
      seen = flags[other];
    } while (seen == 2 || seen == 3);
  }
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
