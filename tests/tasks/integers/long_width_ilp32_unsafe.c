// With 32-bit longs an unsigned long counter wraps after 4294967295.
// Declared here, so that the program needs no 32-bit system headers.
typedef unsigned long pthread_t;
typedef union {
  char size[36];
  long align;
} pthread_attr_t;
extern int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*routine)(void *), void *argument);
extern int pthread_join(pthread_t thread, void **result);
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

unsigned long counter = 4294967294ul;

void *worker(void *arg) {
  counter += 2;
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  pthread_join(thread, 0);
  check(sizeof(long) == 4 && sizeof(void *) == 4 && sizeof(long long) == 8);
  check(counter == 4294967296ull);
  return 0;
}
