// A pointer kept in an integer comes back as the same pointer; adding counts bytes there.
#include <stdint.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int array[2] = {7, 8};

int main(void) {
  uintptr_t number = (uintptr_t)&array[0];
  number += sizeof(int);
  int *back = (int *)number;
  check(*back == 8);
  return 0;
}
