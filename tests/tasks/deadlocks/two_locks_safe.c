// Two threads take two locks in opposite orders.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
int value;

static void use(pthread_mutex_t *outer, pthread_mutex_t *inner) {
  pthread_mutex_lock(outer);
  pthread_mutex_lock(inner);
  value++;
  pthread_mutex_unlock(inner);
  pthread_mutex_unlock(outer);
}

void *worker(void *arg) {
  use(&a, &b);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  use(&a, &b);
  pthread_join(thread, 0);
  return 0;
}
