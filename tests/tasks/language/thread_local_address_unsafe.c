// The address of a thread-local variable can be handed to another thread.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

__thread int own = 1;

void *worker(void *arg) {
  int *of_main = arg;
  own = 7;
  *of_main = *of_main + 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, &own);
  pthread_join(thread, 0);
  check(own == 8);
  return 0;
}
