// break, continue, do-while and a switch that jumps into a loop.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

static int copies(int count) {
  int done = 0, rounds = (count + 1) / 2;
  switch (count % 2) {
    do {
      case 0:
        done++;
      case 1:
        done++;
    } while (--rounds > 0);
  }
  return done;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 6; i++) {
    if (i == 1) continue;
    if (i == 4) break;
    sum += i;
  }
  check(sum == 5);
  do {
    sum++;
  } while (0);
  check(sum == 6);
  check(copies(4) == 4);
  check(copies(3) == 4);
  return 0;
}
