// A compound literal is an object of its own, made anew where it stands.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Point {
  int x, y;
};

static int sum(const struct Point *point) { return point->x + point->y; }

int main(void) {
  struct Point *point = &(struct Point){3, 4};
  point->x = 5;
  int *numbers = (int[]){1, 2, 3};
  check(sum(&(struct Point){.y = 6}) == 6);
  check(numbers[2] == 3);
  check(sum(point) == 9);
  return 0;
}
