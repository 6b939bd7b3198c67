// Only the start of a heap block can be freed.
#include <stdlib.h>

int main(void) {
  char *block = malloc(4);
  char *cursor = block;
  *cursor++ = 1;
  free(block);
  free(NULL);
  return 0;
}
