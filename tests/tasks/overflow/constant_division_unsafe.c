// The quotient of the lowest int and -1 does not fit.
#include <limits.h>

int main(void) {
  return INT_MIN / -1 == 0;
}
