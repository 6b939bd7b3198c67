// An empty asm statement is a barrier for the compiler: it changes no value.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int data, ready;

void *writer(void *arg) {
  ready = 1;
  __asm__ volatile("" ::: "memory");
  data = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  if (ready) check(data == 1);
  pthread_join(thread, 0);
  return 0;
}
