// A block that a global still points to when main returns is not lost.
#include <stdlib.h>

int *kept;

int main(void) {
  kept = malloc(sizeof(int));
  *kept = 1;
  return 0;
}
