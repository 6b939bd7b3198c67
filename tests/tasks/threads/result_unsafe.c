// pthread_join hands over what the start routine returned.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

void *worker(void *arg) {
  long number = (long)arg;
  return (void *)(number * 2);
}

int main(void) {
  pthread_t thread;
  void *result;
  check(pthread_create(&thread, 0, worker, (void *)21L) == 0);
  check(pthread_join(thread, &result) == 0);
  check((long)result == 21);
  return 0;
}
