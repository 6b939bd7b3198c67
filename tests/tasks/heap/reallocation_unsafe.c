// realloc keeps the old content, and the old pointer is dead afterwards.
#include <stdlib.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int main(void) {
  int *numbers = malloc(2 * sizeof(int));
  numbers[0] = 1;
  numbers[1] = 2;
  int *larger = realloc(numbers, 4 * sizeof(int));
  larger[3] = 4;
  int seen = numbers[1];
  check(seen == 2);
  free(larger);
  return 0;
}
