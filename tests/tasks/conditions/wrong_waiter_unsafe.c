// Two waiters for different states share a condition: a signal may wake the wrong one.
#include <pthread.h>

int state;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

void *wait_for(void *arg) {
  long wanted = (long)arg;
  pthread_mutex_lock(&lock);
  while (state < wanted) pthread_cond_wait(&changed, &lock);
  state++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, wait_for, (void *)1L);
  pthread_create(&second, 0, wait_for, (void *)2L);
  pthread_mutex_lock(&lock);
  state = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
