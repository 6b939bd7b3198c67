// goto makes a loop and leaves a nested one.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int main(void) {
  int i = 0, found = -1;
again:
  i++;
  if (i < 3) goto again;
  for (int row = 0; row < 3; row++) {
    for (int column = 0; column < 3; column++) {
      if (row * column == 2) {
        found = row * 10 + column;
        goto done;
      }
    }
  }
done:
  check(i == 3);
  check(found == 21);
  return 0;
}
