// Each thread has its own copy of a _Thread_local variable, with its initial value.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

_Thread_local int counter = 5;

void *worker(void *arg) {
  counter++;
  check(counter == 6);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(counter == 5);
  return 0;
}
