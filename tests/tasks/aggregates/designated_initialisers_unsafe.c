// Designators choose the member; what follows goes on from there; the rest is zero.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Inner {
  char tag;
  int values[3];
};
struct Outer {
  int first;
  struct Inner inner[2];
  long last;
};

struct Outer outer = {.last = 9, .inner = {[1] = {.values = {[1] = 5, 6}, .tag = 'x'}}};
int sparse[] = {[2] = 7, 8, [0] = 1};

int main(void) {
  check(outer.first == 0 && outer.last == 9);
  check(outer.inner[0].tag == 0 && outer.inner[1].tag == 'x');
  check(outer.inner[1].values[0] == 0 && outer.inner[1].values[2] == 6);
  check(sizeof(sparse) / sizeof(sparse[0]) == 4);
  check(sparse[1] == 8);
  return 0;
}
