// A thread moves a shared pointer; what is read through it depends on when.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int first = 1, second = 2;
int *selected = &first;
int **handle = &selected;

void *worker(void *arg) {
  *handle = &second;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(**handle == 2);
  return 0;
}
