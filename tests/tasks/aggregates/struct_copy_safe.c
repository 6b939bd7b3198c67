// Assigning a struct copies it; a pointer to it does not.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Pair {
  int left;
  long right;
};

struct Pair original = {1, 2};

int main(void) {
  struct Pair copy = original;
  struct Pair *view = &copy;
  original.right = 9;
  check(view->left == 1);
  check(view->right == 2);
  return 0;
}
