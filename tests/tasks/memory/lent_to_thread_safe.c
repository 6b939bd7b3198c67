// The lender waits for the borrower before its variable ends.
#include <pthread.h>

extern void reach_error(void);

static void *borrower(void *argument) {
  *(int *)argument += 1;
  return argument;
}

static int lend(int value) {
  pthread_t thread;
  pthread_create(&thread, 0, borrower, &value);
  pthread_join(thread, 0);
  return value;
}

int main(void) {
  if (lend(1) != 2 || lend(2) != 3) reach_error();
  return 0;
}
