// An assert that holds does nothing; the one that follows it is still judged.
#include <assert.h>
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int value = 1;

void *worker(void *arg) {
  assert(value == 1 || value == 2);
  value = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  assert(value == 2);
  check(value == 1);
  return 0;
}
