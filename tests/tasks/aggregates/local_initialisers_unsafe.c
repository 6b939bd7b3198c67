// A local aggregate with a short initialiser is zero in what it leaves out.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Row {
  int cells[2][2];
  struct {
    short flag;
  } tail;
};

void *worker(void *arg) {
  int start = 4;
  struct Row row = {{{1, start}, {3}}};
  check(row.cells[0][1] == 4 && row.cells[1][0] == 3);
  check(row.cells[1][1] == start);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  return 0;
}
