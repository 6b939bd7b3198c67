// A counting barrier used twice needs a generation: by the count alone a fast thread runs
// through the second round.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int waiting, generation, turn;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t opened = PTHREAD_COND_INITIALIZER;

static void meet(void) {
  pthread_mutex_lock(&lock);
  int mine = generation;
  waiting++;
  if (waiting == 2) {
    waiting = 0;
    generation++;
    pthread_cond_broadcast(&opened);
  }
  while (mine == generation) pthread_cond_wait(&opened, &lock);
  pthread_mutex_unlock(&lock);
}

void *worker(void *arg) {
  meet();
  meet();
  check(turn == 1);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  meet();
  turn = 1;
  meet();
  pthread_join(thread, 0);
  return 0;
}
