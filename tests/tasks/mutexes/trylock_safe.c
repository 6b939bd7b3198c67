// trylock tells whether it took the lock; going on regardless breaks the exclusion.
#include <errno.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter, skipped;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  int answer = pthread_mutex_trylock(&lock);
  check(answer == 0 || answer == EBUSY);
  if (answer != 0) {
    skipped = 1;
    return 0;
  }
  counter++;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  counter++;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  check(counter + skipped == 2);
  return 0;
}
