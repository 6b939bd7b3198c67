// cnd_wait may return without a signal, as its POSIX sister.
#include <threads.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int ready;
mtx_t lock;
cnd_t changed;

int waiter(void *arg) {
  mtx_lock(&lock);
  if (!ready) cnd_wait(&changed, &lock);
  check(ready);
  mtx_unlock(&lock);
  return 0;
}

int main(void) {
  thrd_t thread;
  mtx_init(&lock, mtx_plain);
  cnd_init(&changed);
  thrd_create(&thread, waiter, 0);
  mtx_lock(&lock);
  ready = 1;
  cnd_signal(&changed);
  mtx_unlock(&lock);
  thrd_join(thread, 0);
  return 0;
}
