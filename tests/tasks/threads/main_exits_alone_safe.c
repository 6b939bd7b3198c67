// pthread_exit in main leaves the other threads running; return does not.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int released;

void *worker(void *arg) {
  if (released == 2) reach_error();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  released = 1;
  check(released == 1);
  pthread_exit(0);
  released = 2;
  return 0;
}
