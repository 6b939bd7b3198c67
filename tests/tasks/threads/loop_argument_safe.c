// Handing each thread the address of the loop counter lets all see the same number.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int seen[3];

void *worker(void *arg) {
  long number = (long)arg;
  seen[number] = 1;
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int i;
  for (i = 0; i < 2; i++) pthread_create(&threads[i], 0, worker, (void *)(long)i);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  check(seen[0] == 1 && seen[1] == 1);
  return 0;
}
