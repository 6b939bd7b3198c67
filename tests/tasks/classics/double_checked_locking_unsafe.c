// The first look is without the lock: it must be atomic, and publish only what is filled.
#include <pthread.h>
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Config {
  int value;
};

struct Config config;
struct Config *instance;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Config *get(void) {
  struct Config *seen = instance;
  if (!seen) {
    pthread_mutex_lock(&lock);
    seen = instance;
    if (!seen) {
      instance = seen = &config;
      config.value = 7;
    }
    pthread_mutex_unlock(&lock);
  }
  return seen;
}

void *worker(void *arg) {
  check(get()->value == 7);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  check(get()->value == 7);
  pthread_join(thread, 0);
  return 0;
}
