// Two readers that both ask for the write lock while reading block each other.
#include <pthread.h>

int value;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int seen = value;
  pthread_rwlock_wrlock(&lock);
  value = seen + 1;
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
