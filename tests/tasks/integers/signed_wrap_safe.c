// Signed overflow wraps in what programs mean, unless overflow is what is asked about.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int largest = 2147483647;

int main(void) {
  int next = largest + 1;
  check(next < 0);
  return 0;
}
