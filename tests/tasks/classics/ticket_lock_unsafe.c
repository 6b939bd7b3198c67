// A ticket lock serves in the order of tickets; drawing one must be a single step.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_uint next_ticket, now_serving;
int counter;

void *worker(void *arg) {
  unsigned int ticket = atomic_load(&next_ticket);
  atomic_store(&next_ticket, ticket + 1);
  while (atomic_load(&now_serving) != ticket) {
  }
  counter++;
  atomic_fetch_add(&now_serving, 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  check(counter == 2);
  return 0;
}
