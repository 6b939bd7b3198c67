// Three threads, three locks, each thread holding one and asking for the next.
#include <pthread.h>

pthread_mutex_t locks[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                            PTHREAD_MUTEX_INITIALIZER};

static void use(int first, int second) {
  pthread_mutex_lock(&locks[first]);
  pthread_mutex_lock(&locks[second]);
  pthread_mutex_unlock(&locks[second]);
  pthread_mutex_unlock(&locks[first]);
}

void *left(void *arg) {
  use(0, 1);
  return 0;
}
void *right(void *arg) {
  use(1, 2);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, left, 0);
  pthread_create(&second, 0, right, 0);
  use(2, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
