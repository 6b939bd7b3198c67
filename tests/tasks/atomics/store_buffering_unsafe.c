// With sequentially consistent atomics not both threads can miss the other's store.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_int x, y;
int seen_x, seen_y;

void *worker(void *arg) {
  seen_y = atomic_load(&y);
  atomic_store(&x, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  atomic_store(&y, 1);
  atomic_thread_fence(memory_order_seq_cst);
  seen_x = atomic_load(&x);
  pthread_join(thread, 0);
  check(seen_x == 1 || seen_y == 1);
  return 0;
}
