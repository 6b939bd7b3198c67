// Only a local of main, whose address is taken, points to the block when main returns.
#include <stdlib.h>

static void fill(int **place) { *place = malloc(sizeof(int)); }

int main(void) {
  int *block;
  fill(&block);
  return 0;
}
