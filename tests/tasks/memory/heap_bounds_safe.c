// A heap block ends where malloc was told.
#include <stdlib.h>

int main(void) {
  short *block = malloc(3 * sizeof(short));
  for (int i = 0; i < 3; i++) block[i] = 0;
  free(block);
  return 0;
}
