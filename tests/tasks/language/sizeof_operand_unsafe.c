// sizeof looks at the type of its operand and does not evaluate it.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Padded {
  char tag;
  int value;
  short tail;
};

int main(void) {
  int i = 1;
  int size = (int)sizeof(i++);
  check(size == 4);
  check(sizeof(struct Padded) == 12);
  check(sizeof('a') == sizeof(int));
  check(i == 2);
  return 0;
}
