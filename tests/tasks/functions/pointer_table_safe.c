// Calls go through a table of function pointers.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

static int twice(int x) { return x + x; }
static int square(int x) { return x * x; }

typedef int (*Operation)(int);
Operation table[] = {twice, &square};

static int apply(Operation operation, int x) { return (*operation)(x); }

int main(void) {
  check(apply(table[0], 3) == 6);
  check(table[1](3) == 9);
  check(table[0] != table[1]);
  return 0;
}
