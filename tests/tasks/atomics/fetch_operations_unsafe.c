// The fetch operations answer with the old value; exchange too.
#include <stdatomic.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

atomic_uint word = 0xf0;
_Atomic unsigned char byte = 255;

int main(void) {
  check(atomic_fetch_or(&word, 0x0f) == 0xf0);
  check(atomic_fetch_and(&word, 0x3c) == 0xff);
  check(atomic_fetch_xor(&word, 0xff) == 0x3c);
  check(atomic_exchange(&word, 5) == 0xc3);
  check(atomic_fetch_sub(&word, 7) == 5);
  check(word == 4294967294u);
  byte += 2;
  check(byte == 257);
  return 0;
}
