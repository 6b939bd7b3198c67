// A right shift keeps the sign of a signed value and brings zeros into an unsigned one.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int negative = -8;
unsigned char byte = 0x80;

int main(void) {
  check(1u << 31 == 0x80000000u);
  check((byte << 1) == 256);
  check((negative >> 1) == -4);
  check(((unsigned)negative >> 1) == 0x7ffffffcu);
  return 0;
}
