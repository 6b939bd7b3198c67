// The arm that would overflow is not taken.
#include <limits.h>

int main(void) {
  int largest = 0;
  int wrapped = largest ? INT_MAX + 1 : 0;
  return wrapped != 0 && INT_MIN / -1 == 0;
}
