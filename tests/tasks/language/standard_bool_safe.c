// bool, true, false and static_assert as the standard headers spell them.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

static_assert(true && !false, "booleans");

bool done = false;

void *worker(void *arg) {
  done = !done;
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  check(done == true);
  return 0;
}
