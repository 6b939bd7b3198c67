// The first reader locks the writer out and the last one lets it in; the broken one counts
// readers without a lock.
#include <pthread.h>
#include <semaphore.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int readers, data[2];
pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
sem_t room;

void *reader(void *arg) {
  if (++readers == 1) sem_wait(&room);
  check(data[0] == data[1]);
  if (--readers == 0) sem_post(&room);
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&room, 0, 1);
  pthread_create(&first, 0, reader, 0);
  pthread_create(&second, 0, reader, 0);
  sem_wait(&room);
  data[0] = 1;
  data[1] = 1;
  sem_post(&room);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
