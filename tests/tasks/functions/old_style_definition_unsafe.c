// A K&R definition: its parameters are promoted by the caller and cut by the callee.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int add(left, right)
  int left;
  unsigned char right;
{
  return left + right;
}

int main() {
  check(add(1, 2) == 3);
  check(add(1, 256) == 257);
  return 0;
}
