// Changing the state without the lock lets the signal fall between look and sleep.
#include <pthread.h>

int ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed;

void *waiter(void *arg) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_cond_init(&changed, 0);
  pthread_create(&thread, 0, waiter, 0);
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_mutex_unlock(&lock);
  pthread_cond_signal(&changed);
  pthread_join(thread, 0);
  pthread_cond_destroy(&changed);
  return 0;
}
