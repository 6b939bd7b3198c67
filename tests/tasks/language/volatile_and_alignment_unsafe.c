// volatile makes nothing atomic; _Alignas and _Alignof say where an object lies.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

_Alignas(16) char buffer[3];
volatile int counter;

void *worker(void *arg) {
  counter++;
  return 0;
}

int main(void) {
  pthread_t first, second;
  check((unsigned long)buffer % 16 == 0 && _Alignof(int) == 4);
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(counter == 2);
  return 0;
}
