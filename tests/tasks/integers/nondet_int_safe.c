// An integer input takes any value that the checks on it let through.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}
extern int __VERIFIER_nondet_int(void);

int table[3] = {1, 2, 4};

int main(void) {
  int index = __VERIFIER_nondet_int();
  if (index < 0 || index > 2) return 0;
  check(table[index] >= 1 && table[index] <= 4);
  return 0;
}
