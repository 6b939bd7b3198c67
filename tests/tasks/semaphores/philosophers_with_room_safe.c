// Two philosophers and two forks: a semaphore that lets only one sit down breaks the cycle.
#include <pthread.h>
#include <semaphore.h>

sem_t seats, forks[2];

static void dine(int first, int second) {
  sem_wait(&seats);
  sem_wait(&forks[first]);
  sem_wait(&forks[second]);
  sem_post(&forks[second]);
  sem_post(&forks[first]);
  sem_post(&seats);
}

void *worker(void *arg) {
  dine(1, 0);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&seats, 0, 1);
  sem_init(&forks[0], 0, 1);
  sem_init(&forks[1], 0, 1);
  pthread_create(&thread, 0, worker, 0);
  dine(0, 1);
  pthread_join(thread, 0);
  return 0;
}
