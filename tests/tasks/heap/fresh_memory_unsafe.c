// calloc gives zeros; malloc gives any value.
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int main(void) {
  int *numbers = malloc(2 * sizeof(int));
  int seen = numbers[1];
  free(numbers);
  check(seen == 0);
  return 0;
}
