// Comparing int with unsigned converts the int: -1 is then the largest value.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int minus_one = -1;
unsigned int one = 1;
unsigned char small = 1;

int main(void) {
  check(minus_one < small);
  check((long)minus_one < one);
  check(minus_one < one);
  return 0;
}
