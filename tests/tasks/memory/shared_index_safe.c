// Two threads advance one index; only together do they leave the array.
#include <pthread.h>

int array[2];
int used;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *append(void *arg) {
  pthread_mutex_lock(&lock);
  if (used < 2) {
    array[used] = 1;
    used++;
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t first, second;
  used = 1;
  pthread_create(&first, 0, append, 0);
  pthread_create(&second, 0, append, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
