// A statement expression gives its last value; its locals are its own.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

#define larger(a, b)       \
  ({                       \
    __typeof__(a) x_ = (a); \
    __typeof__(b) y_ = (b); \
    x_ > y_ ? x_ : y_;     \
  })

int shared = 3;

void *worker(void *arg) {
  int seen = larger(shared, 2);
  check(seen == 3);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  check(larger(larger(1, 4), 2) == 4);
  pthread_join(thread, 0);
  return 0;
}
