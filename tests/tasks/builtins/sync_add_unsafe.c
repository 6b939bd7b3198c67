// __sync_fetch_and_add is one step and answers with the old value.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int counter;
int tickets[2];

void *worker(void *arg) {
  tickets[(long)arg] = counter;
  __sync_add_and_fetch(&counter, 1);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, (void *)0);
  pthread_create(&second, 0, worker, (void *)1);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(counter == 2);
  check(tickets[0] + tickets[1] == 1);
  return 0;
}
