// Two threads increment a counter without a lock. Each increment is a load, an addition and a
// store, so both can load the same old value, and one of the two updates is lost.
#include <assert.h>
#include <pthread.h>

int counter = 0;

void *increment(void *arg) {
  (void)arg;
  counter++;
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, increment, NULL);
  pthread_create(&second, NULL, increment, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  assert(counter == 2);
  return 0;
}
