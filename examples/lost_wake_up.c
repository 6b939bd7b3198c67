// The waiter looks at `ready` before it takes the lock. When main sets it and signals between
// the look and the sleep, nobody is there to hear the signal, and the waiter sleeps forever.
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *wait_until_ready(void *arg) {
  (void)arg;
  if (!ready) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
  }
  return NULL;
}

int main(void) {
  pthread_t waiter;
  pthread_create(&waiter, NULL, wait_until_ready, NULL);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_join(waiter, NULL);
  return 0;
}
