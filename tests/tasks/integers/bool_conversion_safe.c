// Any value other than zero turns into 1 in a _Bool.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int four = 4;
double half = 0.5;

int main(void) {
  _Bool flag = four;
  check(flag == 1);
  flag = half;
  check(flag == 1);
  flag = 256;
  check(flag + flag == 2);
  return 0;
}
