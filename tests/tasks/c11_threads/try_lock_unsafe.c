// mtx_trylock answers thrd_busy while another thread has the lock.
#include <threads.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

mtx_t lock;
int value;

int worker(void *arg) {
  int answer = mtx_trylock(&lock);
  check(answer == thrd_success);
  value = 1;
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&lock, mtx_plain);
  thrd_create(&thread, worker, 0);
  mtx_lock(&lock);
  value = 2;
  mtx_unlock(&lock);
  thrd_join(thread, 0);
  return 0;
}
