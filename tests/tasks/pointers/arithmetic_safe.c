// Adding to a pointer moves by elements; a cast to char * shows the bytes.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

int array[4] = {10, 11, 12, 13};

int main(void) {
  int *p = array + 1;
  check(p[2] == 13);
  check(&array[3] - p == 2);
  check(*--p == 10);
  p += 3;
  check((char *)p - (char *)array == 12);
  return 0;
}
