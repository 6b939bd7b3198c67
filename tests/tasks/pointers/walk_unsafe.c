// A pointer walks over an array; one step too many reads behind its end.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int array[3] = {1, 2, 3};
int sum;

void *worker(void *arg) {
  int *end = array + 3;
  for (int *p = array; p <= end; p++) sum += *p;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(sum == 6);
  return 0;
}
