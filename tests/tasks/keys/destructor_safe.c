// The destructor of a key runs when a thread ends with a value that is not null.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_key_t key;
int destroyed;

static void destroy(void *value) { destroyed += *(int *)value; }

int data = 3;

void *worker(void *arg) {
  pthread_setspecific(key, &data);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, destroy);
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(destroyed == 3);
  return 0;
}
