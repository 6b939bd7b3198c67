// A function may return the address of its caller's variable.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

static int *larger(int *left, int *right) { return *left < *right ? right : left; }

void *worker(void *arg) {
  int one = 1, two = 2;
  *larger(&one, &two) = 3;
  check(one == 1 && two == 3);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
