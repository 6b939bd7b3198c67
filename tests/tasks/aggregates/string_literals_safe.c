// A string literal ends in a zero byte, which counts in the size of an array.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

char text[] = "ab\x41" "c";
const char *pointer = "xyz";
char cut[2] = "pq";

int main(void) {
  check(text[2] == 'A' && text[3] == 'c');
  check(text[4] == 0);
  check(*(pointer + 1) == 'y');
  check(cut[1] == 'q');
  check(sizeof(text) == 5);
  return 0;
}
