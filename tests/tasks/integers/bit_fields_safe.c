// A bit-field holds only its own width: values are cut, signed ones keep their sign bit.
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

struct Fields {
  unsigned int low : 3;
  signed int middle : 4;
  unsigned int high : 9;
};

struct Fields fields;

int main(void) {
  int nine = 9;
  fields.high = 511;
  fields.low = nine;
  fields.middle = nine;
  check(fields.high == 511);
  check(fields.low == 1);
  check(fields.middle == -7);
  fields.low--;
  fields.low--;
  check(fields.low == 7 && fields.middle == -7);
  return 0;
}
