// The sum is computed though nobody uses it.
#include <limits.h>

int main(void) {
  int largest = INT_MAX;
  largest + 1;
  return 0;
}
