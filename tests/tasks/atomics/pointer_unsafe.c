// An atomic pointer publishes a filled object.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Item {
  int value;
};

struct Item item;
_Atomic(struct Item *) published;

void *publisher(void *arg) {
  atomic_store(&published, &item);
  item.value = 4;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, publisher, 0);
  struct Item *seen = atomic_load(&published);
  if (seen) check(seen->value == 4);
  pthread_join(thread, 0);
  return 0;
}
