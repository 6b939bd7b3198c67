#include <assert.h>
#include <pthread.h>

pthread_t other;
pthread_mutex_t guard;
int number = 0;

void *increment(void *argument) {
  pthread_mutex_lock(&guard);
  number++;
  pthread_mutex_unlock(&guard);
  return argument;
}

int main(void) {
  pthread_mutex_init(&guard, 0);
  pthread_create(&other, 0, increment, 0);
  pthread_mutex_lock(&guard);
  number *= 2;
  pthread_mutex_unlock(&guard);
  pthread_join(other, 0);
  assert(EXPECTED);
  return 0;
}
