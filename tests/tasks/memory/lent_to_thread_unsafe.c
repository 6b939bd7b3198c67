// The borrower may come in time, or too late, which is undefined; the error is there either way.
#include <pthread.h>

extern void reach_error(void);

int *lent;

static void lend(void) {
  int value = 1;
  lent = &value;
}

void *lender(void *argument) {
  lend();
  return argument;
}

void *borrower(void *argument) {
  if (lent != 0) *lent += 1;
  return argument;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, lender, 0);
  pthread_create(&second, 0, borrower, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  reach_error();
  return 0;
}
