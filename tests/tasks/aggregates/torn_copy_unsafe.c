// Copying a struct takes several steps: another thread can see half of it.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Pair {
  long left, right;
};

struct Pair shared;

void *writer(void *arg) {
  struct Pair fresh = {1, 1};
  shared = fresh;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, writer, 0);
  struct Pair seen = shared;
  check(seen.left == seen.right);
  pthread_join(thread, 0);
  return 0;
}
