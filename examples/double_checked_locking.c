// The instance is looked at without the lock first, to save time. That look races with the
// write under the lock, and the pointer is set before the object is filled: a second thread can
// use a half-made object.
#include <assert.h>
#include <pthread.h>

struct Settings {
  int volume;
};

struct Settings storage;
struct Settings *instance = NULL;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Settings *settings(void) {
  if (instance == NULL) {
    pthread_mutex_lock(&lock);
    if (instance == NULL) {
      instance = &storage;
      instance->volume = 11;
    }
    pthread_mutex_unlock(&lock);
  }
  return instance;
}

void *use(void *arg) {
  (void)arg;
  assert(settings()->volume == 11);
  return NULL;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, use, NULL);
  pthread_create(&second, NULL, use, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
