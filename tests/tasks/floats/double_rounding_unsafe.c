// 0.1 + 0.2 is not 0.3 in binary doubles.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

double tenth = 0.1;
double fifth = 0.2;

int main(void) {
  double sum = tenth + fifth;
  check(sum > 0.3 - 1e-9 && sum < 0.3 + 1e-9);
  check(sum == 0.3);
  return 0;
}
