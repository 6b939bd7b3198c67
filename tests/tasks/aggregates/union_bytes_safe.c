// The members of a union share their bytes, lowest byte first on x86.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

union Word {
  unsigned int whole;
  unsigned char bytes[4];
  struct {
    unsigned short low, high;
  } halves;
};

union Word word;

int main(void) {
  word.whole = 0x01020304u;
  check(word.halves.high == 0x0102);
  check(word.bytes[0] == 4);
  word.bytes[3] = 0xff;
  check(word.whole == 0xff020304u);
  return 0;
}
