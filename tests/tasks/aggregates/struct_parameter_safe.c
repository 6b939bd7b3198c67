// A struct parameter is the callee's own copy; a struct result is a value.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Pair {
  int left, right;
};

static struct Pair swapped(struct Pair pair) {
  int old = pair.left;
  pair.left = pair.right;
  pair.right = old;
  return pair;
}

int main(void) {
  struct Pair pair = {1, 2};
  struct Pair result = swapped(pair);
  check(result.left == 2 && result.right == 1);
  check(swapped(swapped(pair)).left == 1);
  check(pair.left == 1);
  return 0;
}
