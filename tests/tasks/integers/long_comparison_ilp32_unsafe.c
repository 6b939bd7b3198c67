// With 32-bit longs, comparing long with unsigned int converts the long.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

long minus_one = -1;
unsigned int one = 1;

int main(void) {
  check(minus_one < one);
  return 0;
}
