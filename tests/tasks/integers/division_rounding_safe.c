// Division rounds towards zero, and the remainder has the dividend's sign.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int dividend = -7;

int main(void) {
  check(dividend % 2 == -1);
  check(dividend % -2 == -1);
  check(dividend / 2 == -3);
  return 0;
}
