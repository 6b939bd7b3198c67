// Only one of two threads can swap the owner in; a plain look and set lets both in.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int owner;
int winners;

void *worker(void *arg) {
  int self = (int)(long)arg;
  if (__sync_bool_compare_and_swap(&owner, 0, self)) __sync_fetch_and_add(&winners, 1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, (void *)1);
  pthread_create(&second, 0, worker, (void *)2);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(winners == 1);
  check(__sync_val_compare_and_swap(&winners, 1, 9) == 1);
  check(winners == 9);
  return 0;
}
