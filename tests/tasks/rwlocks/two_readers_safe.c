// Readers share the lock: both may be inside at once.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_int inside;
pthread_rwlock_t lock;

void *reader(void *arg) {
  pthread_rwlock_rdlock(&lock);
  int now = atomic_fetch_add(&inside, 1) + 1;
  check(now <= 2);
  atomic_fetch_sub(&inside, 1);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_rwlock_init(&lock, 0);
  pthread_create(&first, 0, reader, 0);
  pthread_create(&second, 0, reader, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(pthread_rwlock_destroy(&lock) == 0);
  return 0;
}
