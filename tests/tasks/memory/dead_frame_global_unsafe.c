// A global points to a variable whose function has returned.
#include <pthread.h>

int *current;

static void add(int number) { *current += number; }

static int sum(void) {
  int total = 0;
  current = &total;
  add(1);
  return total;
}

void *worker(void *arg) {
  sum();
  add(2);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
