// A pointer to a member that is not the first one, set up by a static initialiser.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }

int value = 0;
struct pair {
  int *first;
  int *second;
};
struct pair both = {0, &value};
int **through = &both.second;

static void *write_through(void *unused) {
  (void)unused;
  **through = 1;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, write_through, 0);
  value = 2;
  int seen = value;
  pthread_join(thread, 0);
  if (seen != 2) reach_error();
  return 0;
}
