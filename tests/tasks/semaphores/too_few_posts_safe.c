// Each of two waiters needs a post of its own.
#include <pthread.h>
#include <semaphore.h>

sem_t units;

void *waiter(void *arg) {
  sem_wait(&units);
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&units, 0, 0);
  pthread_create(&first, 0, waiter, 0);
  pthread_create(&second, 0, waiter, 0);
  sem_post(&units);
  sem_post(&units);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
