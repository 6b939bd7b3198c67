// A thread creates a thread; joining the first says nothing about the second.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int value;
pthread_t inner_handle;

void *inner(void *arg) {
  value = 1;
  return 0;
}

void *outer(void *arg) {
  pthread_create(&inner_handle, 0, inner, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, outer, 0);
  pthread_join(thread, 0);
  check(value == 1);
  return 0;
}
