// A variable-length array has the length that was computed; sizeof knows it.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int length = 3;

int main(void) {
  int numbers[length];
  length = 5;
  check(sizeof(numbers) == 3 * sizeof(int));
  for (int i = 0; i < 3; i++) numbers[i] = i;
  check(numbers[2] == 2);
  return 0;
}
