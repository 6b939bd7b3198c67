// Copying a struct takes several steps: another thread can see half of it.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Pair {
  long left, right;
};

struct Pair shared;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *writer(void *arg) {
  struct Pair fresh = {1, 1};
  pthread_mutex_lock(&lock);
  shared = fresh;
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  pthread_mutex_lock(&lock);
  struct Pair seen = shared;
  pthread_mutex_unlock(&lock);
  check(seen.left == seen.right);
  pthread_join(thread, 0);
  return 0;
}
