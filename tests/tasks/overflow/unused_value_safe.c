// The sum that nobody uses fits.
#include <limits.h>

int main(void) {
  int largest = INT_MAX;
  largest - 1;
  return 0;
}
