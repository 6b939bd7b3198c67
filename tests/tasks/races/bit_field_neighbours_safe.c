// Bit-fields that lie side by side are one memory location; a zero width parts them.
#include <pthread.h>

struct Flags {
  unsigned int first : 4;
  unsigned int : 0;
  unsigned int second : 4;
};

struct Flags flags;

void *worker(void *arg) {
  flags.second = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  flags.first = 1;
  pthread_join(thread, 0);
  return 0;
}
