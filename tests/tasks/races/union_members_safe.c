// Members of a union overlap, unless they are other bytes of it.
#include <pthread.h>

union Word {
  int whole;
  unsigned char bytes[8];
};

union Word word;

void *worker(void *arg) {
  word.bytes[4] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  word.whole = 0;
  pthread_join(thread, 0);
  return 0;
}
