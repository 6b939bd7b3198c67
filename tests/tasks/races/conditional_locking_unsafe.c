// The lock is taken on one branch only; the access is on both, or on that one.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);

int value;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  _Bool locked = __VERIFIER_nondet_bool();
  if (locked) pthread_mutex_lock(&lock);
  value++;
  if (locked) pthread_mutex_unlock(&lock);
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
