// An atomic access races with a plain one to the same object.
#include <pthread.h>

int word;

void *worker(void *arg) {
  __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  int seen = word;
  pthread_join(thread, 0);
  return seen > 1;
}
