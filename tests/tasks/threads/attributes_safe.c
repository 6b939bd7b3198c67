// A thread created with attributes; every call answers 0.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int value;

void *worker(void *arg) {
  value = *(int *)arg;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  void *result;
  int argument = 5;
  check(pthread_attr_init(&attributes) == 0);
  check(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE) == 0);
  check(pthread_create(&thread, &attributes, worker, &argument) == 0);
  check(pthread_attr_destroy(&attributes) == 0);
  check(pthread_join(thread, &result) == 0);
  check(result == &argument);
  check(value == 5);
  return 0;
}
