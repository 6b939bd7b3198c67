// Data handed over under a condition variable; the broken reader does not wait.
#include <pthread.h>

int data, ready;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *producer(void *arg) {
  data = 1;
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  data = 2;
  pthread_join(thread, 0);
  return 0;
}
