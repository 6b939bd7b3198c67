// Two threads add two numbers crosswise, twice each: the sums stay below Fibonacci's.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int i = 1, j = 1;

void *left(void *arg) {
  for (int k = 0; k < 2; k++) i = i + j;
  return 0;
}
void *right(void *arg) {
  for (int k = 0; k < 2; k++) j = j + i;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(i <= 8 && j <= 8);
  return 0;
}
