// A thread uses a shared pointer that another one may have set to null.
#include <pthread.h>

int value;
int *shared = &value;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  pthread_mutex_lock(&lock);
  if (shared) {
    *shared = 1;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  shared = 0;
  pthread_mutex_unlock(&lock);
  pthread_join(thread, 0);
  return 0;
}
