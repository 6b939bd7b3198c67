// Overflow between constants only; in the safe twin it is in the arm that is not taken.
#include <limits.h>

int main(void) {
  int largest = 1;
  int wrapped = largest ? INT_MAX + 1 : 0;
  return wrapped == 0;
}
