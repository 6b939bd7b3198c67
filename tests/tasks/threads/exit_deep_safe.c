// pthread_exit ends the thread from deep inside its calls, with a result.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int after;

static void leave(long code) {
  if (code > 0) {
    leave(code - 1);
    return;
  }
  pthread_exit((void *)7L);
}

void *worker(void *arg) {
  leave(2);
  after = 1;
  return (void *)7L;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, &result);
  check((long)result == 7);
  check(after == 0);
  return 0;
}
