// Zero divided by zero equals nothing, not even itself.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

double zero = 0.0;

int main(void) {
  double strange = zero / zero;
  check(1.0 / zero > 1e300);
  check(!(strange < 1.0) && !(strange >= 1.0));
  check(strange != strange);
  return 0;
}
