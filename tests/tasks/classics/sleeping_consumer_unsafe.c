// The lost wake-up of a hand-made event: the state is looked at outside the lock.
#include <pthread.h>

_Atomic int posted;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t event = PTHREAD_COND_INITIALIZER;

void *consumer(void *arg) {
  while (!posted) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&event, &lock);
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, consumer, 0);
  pthread_mutex_lock(&lock);
  posted = 1;
  pthread_cond_signal(&event);
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
