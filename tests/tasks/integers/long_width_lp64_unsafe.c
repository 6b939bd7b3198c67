// With 64-bit longs an unsigned long counter does not wrap after 4294967295.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

unsigned long counter = 4294967294ul;

void *worker(void *arg) {
  counter += 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(sizeof(long) == 8 && sizeof(void *) == 8 && sizeof(int) == 4);
  check(counter == 0);
  return 0;
}
