// sem_trywait fails with EAGAIN at zero; sem_getvalue tells the units left.
#include <errno.h>
#include <semaphore.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

sem_t units;

int main(void) {
  int value;
  sem_init(&units, 0, 1);
  check(sem_trywait(&units) == 0);
  check(sem_trywait(&units) == -1 && errno == EAGAIN);
  sem_post(&units);
  sem_getvalue(&units, &value);
  check(value == 2);
  return 0;
}
