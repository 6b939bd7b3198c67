// ++ on an _Atomic object is one step; a load and a store are two.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

_Atomic int counter;

void *worker(void *arg) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(counter == 2);
  return 0;
}
