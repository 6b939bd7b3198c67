// Three philosophers share three forks. All take the left fork first: when each has one, each
// waits for the next one's, and nobody ever eats. Let the last one take the right fork first,
// and the cycle is gone.
#include <pthread.h>

enum { seats = 3 };

pthread_mutex_t forks[seats];
int meals[seats];

void *dine(void *arg) {
  long seat = (long)arg;
  pthread_mutex_t *left = &forks[seat];
  pthread_mutex_t *right = &forks[(seat + 1) % seats];
  pthread_mutex_lock(left);
  pthread_mutex_lock(right);
  meals[seat]++;
  pthread_mutex_unlock(right);
  pthread_mutex_unlock(left);
  return NULL;
}

int main(void) {
  pthread_t guests[seats];
  for (long i = 0; i < seats; i++) pthread_mutex_init(&forks[i], NULL);
  for (long i = 0; i < seats; i++) pthread_create(&guests[i], NULL, dine, (void *)i);
  for (long i = 0; i < seats; i++) pthread_join(guests[i], NULL);
  return 0;
}
