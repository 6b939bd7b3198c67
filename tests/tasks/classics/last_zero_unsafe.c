// A reader looks for the last zero while writers fill the array in any order.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int array[3];
int found;

void *reader(void *arg) {
  int i = 2;
  while (array[i] != 0) i--;
  found = i;
  return 0;
}

void *writer(void *arg) {
  long j = (long)arg;
  array[j] = array[j - 1] + 1;
  return 0;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, (void *)1);
  pthread_create(&threads[2], 0, writer, (void *)2);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  check(array[0] == 0);
  check(found != 1);
  return 0;
}
