// Different fields of a struct are different memory; the same field is not.
#include <pthread.h>

struct Pair {
  int left, right;
};

struct Pair pair;

void *worker(void *arg) {
  struct Pair *target = arg;
  target->left = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, &pair);
  pair.left = 2;
  pthread_join(thread, 0);
  return 0;
}
