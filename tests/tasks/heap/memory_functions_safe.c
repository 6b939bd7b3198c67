// memset, memcpy, memmove and memcmp work byte by byte.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int numbers[3];
unsigned char bytes[5] = {1, 2, 3, 4, 5};

int main(void) {
  memset(numbers, 1, sizeof(numbers));
  check(numbers[2] == 0x01010101);
  int copy[3];
  memcpy(copy, numbers, sizeof(copy));
  check(memcmp(copy, numbers, sizeof(copy)) == 0);
  memmove(bytes + 1, bytes, 4);
  check(bytes[0] == 1 && bytes[1] == 1 && bytes[4] == 4);
  copy[0] = 0;
  check(memcmp(copy, numbers, sizeof(copy)) < 0);
  return 0;
}
