// A static local is one object for all threads.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}


static int next_ticket(void) {
  static int last;
  int ticket = ++last;
  return ticket;
}

int tickets[2];

void *worker(void *arg) {
  tickets[1] = next_ticket();
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  tickets[0] = next_ticket();
  pthread_join(thread, 0);
  check(tickets[0] != tickets[1]);
  return 0;
}
