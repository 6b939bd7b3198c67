// Handle, lock and data of each worker lie in one struct; the structs in an array.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Worker {
  pthread_t handle;
  pthread_mutex_t lock;
  int value;
};

struct Worker workers[2];

void *run(void *arg) {
  struct Worker *self = arg;
  pthread_mutex_lock(&self->lock);
  self->value++;
  pthread_mutex_unlock(&self->lock);
  return 0;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_init(&workers[i].lock, 0);
    pthread_create(&workers[i].handle, 0, run, &workers[i]);
  }
  for (int i = 0; i < 2; i++) pthread_join(workers[i].handle, 0);
  pthread_mutex_lock(&workers[1].lock);
  check(workers[0].value + workers[1].value == 2);
  pthread_mutex_unlock(&workers[1].lock);
  return 0;
}
