// memcpy reads step by step: another thread may write in between.
#include <pthread.h>
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

long source[2], target[2];

void *writer(void *arg) {
  source[0] = 1;
  source[1] = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  memcpy(target, source, sizeof(target));
  check(target[0] == target[1]);
  pthread_join(thread, 0);
  return 0;
}
