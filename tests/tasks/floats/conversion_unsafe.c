// float holds 24 bits, and a conversion to int cuts towards zero.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int large = 16777217;
double negative = -2.7;

int main(void) {
  float rounded = (float)large;
  check((double)large == 16777217.0);
  check((int)negative == -2);
  check((int)rounded == large);
  return 0;
}
