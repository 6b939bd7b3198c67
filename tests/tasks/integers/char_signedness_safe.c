// Plain char is signed on x86: 200 stored in it is read back as -56.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

char plain;
unsigned char natural;

int main(void) {
  plain = (char)200;
  natural = (unsigned char)200;
  check(plain == -56);
  check(natural == 200);
  return 0;
}
