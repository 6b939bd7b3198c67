// A global points to a variable as long as the variable lives.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int *current;

static void add(int number) { *current += number; }

static int sum(void) {
  int total = 0;
  current = &total;
  add(1);
  add(2);
  return total;
}

void *worker(void *arg) {
  check(sum() == 3);
  check(sum() == 3);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
