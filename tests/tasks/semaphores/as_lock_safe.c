// A semaphore with one unit is a lock; with two it lets both in.
#include <pthread.h>
#include <semaphore.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

sem_t units;
int counter;

void *worker(void *arg) {
  sem_wait(&units);
  counter++;
  sem_post(&units);
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&units, 0, 1);
  pthread_create(&first, 0, worker, 0);
  pthread_create(&second, 0, worker, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(counter == 2);
  sem_destroy(&units);
  return 0;
}
