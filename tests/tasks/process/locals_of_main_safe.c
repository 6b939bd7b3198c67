// When main returns the process ends: no thread lives to see main's locals gone.
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
  return 0;
}
