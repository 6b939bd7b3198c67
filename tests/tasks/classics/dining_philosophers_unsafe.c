// Three philosophers and three forks; one who takes them in the other order breaks the cycle.
#include <pthread.h>

pthread_mutex_t forks[3];
int meals[3];

void *philosopher(void *arg) {
  long seat = (long)arg;
  long left = seat, right = (seat + 1) % 3;
  pthread_mutex_lock(&forks[left]);
  pthread_mutex_lock(&forks[right]);
  meals[seat]++;
  pthread_mutex_unlock(&forks[right]);
  pthread_mutex_unlock(&forks[left]);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 3; i++) pthread_mutex_init(&forks[i], 0);
  for (long i = 0; i < 2; i++) pthread_create(&threads[i], 0, philosopher, (void *)i);
  philosopher((void *)2);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
