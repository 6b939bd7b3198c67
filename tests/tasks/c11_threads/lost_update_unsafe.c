// The threads.h way to lose an update, and its lock.
#include <threads.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter;
mtx_t lock;

int worker(void *arg) {
  counter++;
  return 7;
}

int main(void) {
  thrd_t first, second;
  int result;
  mtx_init(&lock, mtx_plain);
  thrd_create(&first, worker, 0);
  thrd_create(&second, worker, 0);
  check(thrd_join(first, &result) == thrd_success);
  check(result == 7);
  thrd_join(second, 0);
  check(counter == 2);
  mtx_destroy(&lock);
  return 0;
}
