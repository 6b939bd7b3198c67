// An atomic flag hands over plain data, if the data is written first.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int data;
atomic_int ready;

void *writer(void *arg) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire)) check(data == 1);
  pthread_join(thread, 0);
  return 0;
}
