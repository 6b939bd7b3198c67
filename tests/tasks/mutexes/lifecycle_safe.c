// init, destroy and init again; every call answers 0. A forgotten unlock blocks the next.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_mutex_t lock;

int main(void) {
  check(pthread_mutex_init(&lock, 0) == 0);
  check(pthread_mutex_lock(&lock) == 0);
  check(pthread_mutex_unlock(&lock) == 0);
  check(pthread_mutex_destroy(&lock) == 0);
  check(pthread_mutex_init(&lock, 0) == 0);
  check(pthread_mutex_lock(&lock) == 0);
  check(pthread_mutex_unlock(&lock) == 0);
  return 0;
}
