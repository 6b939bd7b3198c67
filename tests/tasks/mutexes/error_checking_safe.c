// An error-checking mutex answers with error codes where others block or break.
#include <errno.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_mutex_t lock;

void *worker(void *arg) {
  check(pthread_mutex_unlock(&lock) == EPERM);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&lock, &kind);
  check(pthread_mutex_lock(&lock) == 0);
  pthread_create(&thread, 0, worker, 0);
  check(pthread_mutex_lock(&lock) == EDEADLK);
  pthread_join(thread, 0);
  check(pthread_mutex_unlock(&lock) == 0);
  check(pthread_mutex_unlock(&lock) == EPERM);
  return 0;
}
