// A flag read under the lock tells who may use the data without it.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int data = 1, released;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *worker(void *arg) {
  data = 2;
  pthread_mutex_lock(&lock);
  released = 1;
  pthread_mutex_unlock(&lock);
  data = 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_mutex_lock(&lock);
  int mine = released;
  pthread_mutex_unlock(&lock);
  if (mine) check(data == 2);
  pthread_join(thread, 0);
  return 0;
}
