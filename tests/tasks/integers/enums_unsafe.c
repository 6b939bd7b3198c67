// Enumerators count on from the last explicit value, which may be negative.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

enum Colour { red, green = 5, blue, below = -2, above };

enum Colour colour = red;

void *worker(void *arg) {
  colour = blue;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(above == -1);
  check(colour == 2);
  return 0;
}
