// Rows of a matrix lie one behind the other; two threads fill one row each.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int matrix[2][2];

void *fill(void *arg) {
  int(*row)[2] = arg;
  (*row)[0] = 1;
  (*row)[1] = 2;
  return 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, fill, &matrix[0]);
  pthread_create(&second, 0, fill, &matrix[0]);
  pthread_join(first, 0);
  pthread_join(second, 0);
  check(matrix[0][0] + matrix[0][1] + matrix[1][0] + matrix[1][1] == 6);
  return 0;
}
