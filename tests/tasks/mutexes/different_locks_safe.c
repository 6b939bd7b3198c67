// Two locks protect nothing from each other; they come out of an array.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter;
pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *worker(void *arg) {
  pthread_mutex_t *lock = &locks[0];
  pthread_mutex_lock(lock);
  counter = counter + 1;
  pthread_mutex_unlock(lock);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  check(counter == 2);
  return 0;
}
