// A product is computed in the type of its operands, not in that of its target.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

unsigned int factor = 0x10000u;

int main(void) {
  unsigned long long product = (unsigned long long)factor * factor;
  check(product == 0x100000000ull);
  return 0;
}
