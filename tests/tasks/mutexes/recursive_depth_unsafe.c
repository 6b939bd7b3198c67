// A recursive mutex is free only after as many unlocks as locks.
#define _GNU_SOURCE
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int broken;
pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_mutex_lock(&lock);
  broken = 1;
  pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
  broken = 0;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  check(broken == 0);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
