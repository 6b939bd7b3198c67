// A thread frees the argument that it was given; main must not touch it afterwards.
#include <pthread.h>
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Order {
  int amount;
};

int total;

void *worker(void *arg) {
  struct Order *order = arg;
  total = order->amount;
  free(order);
  return 0;
}

int main(void) {
  pthread_t thread;
  struct Order *order = malloc(sizeof(struct Order));
  order->amount = 3;
  pthread_create(&thread, 0, worker, order);
  pthread_join(thread, 0);
  check(total == 3);
  return 0;
}
