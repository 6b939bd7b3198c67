// timedlock may give up while another thread holds the lock.
#include <errno.h>
#include <pthread.h>
#include <time.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter, skipped;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  struct timespec deadline = {0, 0};
  int answer = pthread_mutex_timedlock(&lock, &deadline);
  counter++;
  if (answer == 0) pthread_mutex_unlock(&lock);
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
