// _Generic chooses by type, _Static_assert holds while compiling, typeof repeats a type.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

#define kind(x) _Generic((x), int: 1, unsigned int: 2, char *: 3, long: 4, default: 5)

_Static_assert(sizeof(int) == 4, "int has four bytes");
_Static_assert((unsigned char)-1 == 255, "bytes have eight bits");

int main(void) {
  char letter = 'a';
  typeof(1u + letter) mixed = 1;
  check(kind(&letter) == 3);
  check(kind(1L) == 4);
  check(kind(letter + letter) == 1);
  check(mixed == 1);
  check(kind(mixed) == 2 && kind(letter) == 5);
  return 0;
}
