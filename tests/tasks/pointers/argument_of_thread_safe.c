// Each thread gets the address of a cell; sharing one cell loses an update.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

void *worker(void *arg) {
  int *cell = arg;
  *cell = *cell + 1;
  return 0;
}

int main(void) {
  int cells[2] = {0, 0};
  pthread_t first, second;
  pthread_create(&first, 0, worker, &cells[0]);
  pthread_create(&second, 0, worker, &cells[1]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(cells[0] + cells[1] == 2);
  return 0;
}
