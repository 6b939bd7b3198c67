// Members of anonymous structs and unions are named as if they were direct ones.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Value {
  int kind;
  union {
    int number;
    struct {
      short low, high;
    };
  };
};

struct Value value = {1, {.number = 0x00020001}};

int main(void) {
  check(value.low == 1 && value.high == 2);
  value.high = 3;
  check(value.number == 0x00030001);
  return 0;
}
