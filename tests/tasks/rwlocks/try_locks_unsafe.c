// The try variants answer EBUSY where the lock is taken in a way that excludes them.
#include <errno.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

void *worker(void *arg) {
  check(pthread_rwlock_trywrlock(&lock) == EBUSY);
  check(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  pthread_rwlock_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_rwlock_rdlock(&lock);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  pthread_rwlock_unlock(&lock);
  return 0;
}
