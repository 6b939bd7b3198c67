// unsigned short operands are multiplied as int, which can overflow.
unsigned short factor = 65535;

int main(void) {
  unsigned int product = factor * factor;
  return product == 0;
}
