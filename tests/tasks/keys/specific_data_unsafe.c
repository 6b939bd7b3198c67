// A key holds one value for each thread, null at first.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

pthread_key_t key;
int first_data, second_data;
void *shared_slot;

void *worker(void *arg) {
  shared_slot = arg;
  check(shared_slot == arg);
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_key_create(&key, 0);
  pthread_create(&first, 0, worker, &first_data);
  pthread_create(&second, 0, worker, &second_data);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(pthread_getspecific(key) == 0);
  pthread_key_delete(key);
  return 0;
}
