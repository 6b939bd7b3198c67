// pthread_exit ends main's thread alone, and with it main's locals.
#include <assert.h>
#include <pthread.h>

static void *reader(void *argument) {
  int *number = argument;
  assert(*number == 1);
  return 0;
}

int main(void) {
  int number = 1;
  pthread_t thread;
  pthread_create(&thread, 0, reader, &number);
  pthread_exit(0);
}
