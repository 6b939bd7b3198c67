// Lamport's fast mutual exclusion for two threads; the broken one does not wait for
// the other's flag before it looks at y again.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int x, y;
int b1, b2;
int inside;

void *first(void *arg) {
  for (;;) {
    b1 = 1;
    x = 1;
    if (y != 0) {
      b1 = 0;
      while (y != 0) {
      }
      continue;
    }
    y = 1;
    if (x != 1) {
      b1 = 0;
      while (b2 >= 1) {
      }
      if (y != 1) {
        while (y != 0) {
        }
        continue;
      }
    }
    break;
  }
  inside = 1;
  check(inside == 1);
  y = 0;
  b1 = 0;
  return 0;
}

void *second(void *arg) {
  for (;;) {
    b2 = 1;
    x = 2;
    if (y != 0) {
      b2 = 0;
      while (y != 0) {
      }
      continue;
    }
    y = 2;
    if (x != 2) {
      b2 = 0;
      while (b1 >= 1) {
      }
      if (y != 2) {
        while (y != 0) {
        }
        continue;
      }
    }
    break;
  }
  inside = 2;
  check(inside == 2);
  y = 0;
  b2 = 0;
  return 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
