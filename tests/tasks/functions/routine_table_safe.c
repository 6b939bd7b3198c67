// Start routines come from a table; the safe one has each thread write its own cell.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int cells[2];

void *write_first(void *arg) {
  cells[0] = 1;
  return 0;
}
void *write_second(void *arg) {
  cells[1] = 1;
  return 0;
}

void *(*routines[2])(void *) = {write_first, write_second};

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, routines[i], 0);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  check(cells[0] == 1);
  return 0;
}
