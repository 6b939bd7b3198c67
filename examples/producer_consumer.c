// A producer hands three items to a consumer through a buffer with one place. Both wait in a
// loop under the lock, so that neither a spurious nor a lost wake-up can do harm: this is safe.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

enum { items = 3 };

int place;
bool full = false;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void put(int item) {
  pthread_mutex_lock(&lock);
  while (full) pthread_cond_wait(&changed, &lock);
  place = item;
  full = true;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
}

static int take(void) {
  pthread_mutex_lock(&lock);
  while (!full) pthread_cond_wait(&changed, &lock);
  int item = place;
  full = false;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return item;
}

void *produce(void *arg) {
  (void)arg;
  for (int i = 1; i <= items; i++) put(i);
  return NULL;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, NULL, produce, NULL);
  for (int i = 1; i <= items; i++) assert(take() == i);
  pthread_join(producer, NULL);
  return 0;
}
