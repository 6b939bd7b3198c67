// printf takes any arguments, and changes none of what it is given to print.
#include <pthread.h>
#include <stdio.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int value = 1;

void *worker(void *arg) {
  printf("value %d of %s, %ld %c\n", value, "worker", 2L, 'x');
  value = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  puts("main");
  fprintf(stderr, "%5.2f\n", 1.5);
  pthread_join(thread, 0);
  check(value == 1);
  return 0;
}
