// A case without break goes on into the next one.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

static int classify(int n) {
  int result = 0;
  switch (n) {
    case 1:
      result += 1;
    case 2:
      result += 10;
      break;
    default:
      result = -1;
    case 7 ... 9:
      result += 100;
  }
  return result;
}

int main(void) {
  check(classify(2) == 10);
  check(classify(8) == 100);
  check(classify(5) == 99);
  check(classify(1) == 11);
  return 0;
}
