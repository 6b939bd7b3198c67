// call_once, thread-specific storage, mtx_trylock and thrd_exit.
#include <threads.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

once_flag once = ONCE_FLAG_INIT;
tss_t slot;
int runs, data;

static void initialise(void) {
  runs++;
  tss_create(&slot, 0);
}

int worker(void *arg) {
  call_once(&once, initialise);
  check(tss_get(slot) == 0);
  tss_set(slot, &data);
  check(tss_get(slot) == &data);
  thrd_exit(3);
}

int main(void) {
  thrd_t thread;
  int result;
  mtx_t lock;
  mtx_init(&lock, mtx_plain | mtx_recursive);
  check(mtx_trylock(&lock) == thrd_success);
  check(mtx_trylock(&lock) == thrd_success);
  thrd_create(&thread, worker, 0);
  call_once(&once, initialise);
  thrd_join(thread, &result);
  check(runs == 1);
  check(result == 3);
  return 0;
}
