// A post is kept until someone waits, so it orders what came before it.
#include <pthread.h>
#include <semaphore.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

sem_t posted;
int data;

void *producer(void *arg) {
  data = 1;
  sem_post(&posted);
  return 0;
}

int main(void) {
  pthread_t thread;
  sem_init(&posted, 0, 0);
  pthread_create(&thread, 0, producer, 0);
  sem_wait(&posted);
  check(data == 1);
  pthread_join(thread, 0);
  return 0;
}
