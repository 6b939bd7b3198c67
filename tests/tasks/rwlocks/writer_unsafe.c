// A writer needs the write lock: under a read lock it runs beside the other.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *arg) {
  pthread_rwlock_rdlock(&lock);
  counter++;
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  pthread_rwlock_rdlock(&lock);
  check(counter == 2);
  pthread_rwlock_unlock(&lock);
  return 0;
}
