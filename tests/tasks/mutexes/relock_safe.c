// A normal mutex blocks its owner for good when locked again; a recursive one does not.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_mutex_t lock;
int depth;

static void enter(int levels) {
  pthread_mutex_lock(&lock);
  depth++;
  if (levels > 1) enter(levels - 1);
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &kind);
  pthread_mutexattr_destroy(&kind);
  enter(2);
  check(depth == 2);
  return 0;
}
