// && and || leave out their right side, and ?: one of its branches.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int calls;
static int call(int result) {
  calls++;
  return result;
}

int main(void) {
  int a = call(0) && call(1);
  int b = call(1) || call(0);
  int c = call(1) ? 5 : call(7);
  check(a == 0 && b == 1 && c == 5);
  check(calls == 6);
  int d = call(0) ?: 8;
  check(d == 8);
  return 0;
}
