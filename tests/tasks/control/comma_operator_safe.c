// The comma operator evaluates in order and gives its last operand.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int main(void) {
  int x = 1;
  int y = (x++, x += 2, x * 2);
  int i, j;
  for (i = 0, j = 5; i < j; i++, j--) {
  }
  check(i == 3 && j == 2);
  check(y == 8);
  return 0;
}
