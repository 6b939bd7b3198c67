// alloca lives until its function returns.
#include <alloca.h>
#include <stddef.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int *kept = NULL;

static int fill(int count) {
  int *numbers = alloca(count * sizeof(int));
  for (int i = 0; i < count; i++) numbers[i] = i;
  kept = numbers;
  return numbers[count - 1];
}

int main(void) {
  int last = fill(3);
  check(last == 2);
  return 0;
}
