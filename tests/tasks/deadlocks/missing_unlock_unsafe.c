// One path out of the critical section forgets to unlock.
#include <pthread.h>
extern _Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int work(void) {
  pthread_mutex_lock(&lock);
  if (__VERIFIER_nondet_bool()) {
    return -1;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

void *worker(void *arg) {
  work();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  work();
  pthread_join(thread, 0);
  return 0;
}
