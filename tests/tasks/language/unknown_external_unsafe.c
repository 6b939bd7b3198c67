// A function that is declared but not defined may return any value of its type.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}
extern int read_sensor(void);

int state;

void *worker(void *arg) {
  int reading = read_sensor();
  state = reading;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(state == 1 || state == 2);
  return 0;
}
