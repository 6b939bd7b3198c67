// The smallest int has no negative; the arithmetic of unsigned never overflows.
int smallest = -2147483647;

int main(void) {
  unsigned int free_to_wrap = 0u - 1u;
  int result = -(smallest - 1);
  return (int)(free_to_wrap & 1u) + (result < 0);
}
