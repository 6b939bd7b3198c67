// A failed compare-exchange writes the value found into what was expected.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int word = 3;

int main(void) {
  int expected = 1, fresh = 8, old;
  check(!__atomic_compare_exchange_n(&word, &expected, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  check(expected == 3);
  check(__atomic_compare_exchange(&word, &expected, &fresh, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
  __atomic_exchange(&word, &expected, &old, __ATOMIC_SEQ_CST);
  check(old == 8 && word == 3);
  check(__atomic_fetch_nand(&word, 1, __ATOMIC_SEQ_CST) == 3);
  check(word == -2);
  return 0;
}
