// Storing into a narrower type keeps the low bits.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int wide = 70000;
long long wider = 0x1234567890ll;

int main(void) {
  short narrow = (short)wide;
  unsigned char byte = (unsigned char)-1;
  int low = (int)wider;
  check(byte == 255);
  check(narrow == 4464);
  check(low == 0x34567890);
  return 0;
}
