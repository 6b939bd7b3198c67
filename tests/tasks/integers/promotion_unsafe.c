// Small types are computed as int, and cut only when stored.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

unsigned char byte = 250;

int main(void) {
  check(byte + 10 == 260);
  check(~(unsigned char)0 == -1);
  byte += 10;
  check(byte == 260);
  return 0;
}
