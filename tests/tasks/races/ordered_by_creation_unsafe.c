// What a thread's creator did before creating it is ordered, what it does later is not.
#include <pthread.h>

int value;

void *worker(void *arg) {
  value++;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  value = 1;
  pthread_join(thread, 0);
  return value < 0;
}
