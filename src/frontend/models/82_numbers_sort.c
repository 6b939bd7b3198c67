// Numbers out of text, exact as in the C locale, and sorting.

// The magnitude and how it was written; `end` is the text itself where there is no number.
struct heddle_number {
  unsigned long long magnitude;
  int negative;
  int too_large;  // the magnitude does not fit; it is the largest then
  const char *end;
};

static int heddle_is_space(char character) {
  return character == ' ' || (character >= '\t' && character <= '\r');
}

// 36 for what is no digit in any base.
static int heddle_digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  if (character >= 'a' && character <= 'z') return character - 'a' + 10;
  if (character >= 'A' && character <= 'Z') return character - 'A' + 10;
  return 36;
}

static int heddle_has_hex_prefix(const char *at) {
  if (at[0] != '0') return 0;
  char mark = at[1];
  if (mark != 'x' && mark != 'X') return 0;
  return heddle_digit(at[2]) < 16;
}

static void heddle_parse_digits(struct heddle_number *number, const char *at, int base) {
  const unsigned long long largest = ~0ULL;
  unsigned long long magnitude = 0;
  int too_large = 0;
  int digit = heddle_digit(*at);
  while (digit < base) {
    if (magnitude > (largest - (unsigned)digit) / (unsigned)base) too_large = 1;
    magnitude = magnitude * (unsigned)base + (unsigned)digit;
    at = at + 1;
    number->end = at;
    digit = heddle_digit(*at);
  }
  number->magnitude = too_large != 0 ? largest : magnitude;
  number->too_large = too_large;
}

static void heddle_parse(struct heddle_number *number, const char *text, int base) {
  const char *at = text;
  number->magnitude = 0;
  number->negative = 0;
  number->too_large = 0;
  number->end = text;
  if (base < 0 || base == 1 || base > 36) {
    heddle_errno = HEDDLE_EINVAL;
    return;
  }
  while (heddle_is_space(*at)) at = at + 1;
  char sign = *at;
  if (sign == '-') number->negative = 1;
  if (sign == '-' || sign == '+') at = at + 1;
  if ((base == 0 || base == 16) && heddle_has_hex_prefix(at)) {
    at = at + 2;
    base = 16;
  }
  if (base == 0) base = *at == '0' ? 8 : 10;
  heddle_parse_digits(number, at, base);
}

static long long heddle_parse_signed(const char *text, char **end, int base, long long largest) {
  struct heddle_number number;
  heddle_parse(&number, text, base);
  if (end != 0) *end = (char *)number.end;
  unsigned long long limit = (unsigned long long)largest;
  if (number.negative != 0) {
    if (number.magnitude <= limit) return -(long long)number.magnitude;
    if (number.magnitude > limit + 1) heddle_errno = HEDDLE_ERANGE;
    return -largest - 1;
  }
  if (number.magnitude <= limit) return (long long)number.magnitude;
  heddle_errno = HEDDLE_ERANGE;
  return largest;
}

static unsigned long long heddle_parse_unsigned(const char *text, char **end, int base,
                                                unsigned long long largest) {
  struct heddle_number number;
  heddle_parse(&number, text, base);
  if (end != 0) *end = (char *)number.end;
  if (number.too_large != 0 || number.magnitude > largest) {
    heddle_errno = HEDDLE_ERANGE;
    return largest;
  }
  if (number.negative != 0) return (0 - number.magnitude) & largest;
  return number.magnitude;
}

long strtol(const char *text, char **end, int base) {
  return (long)heddle_parse_signed(text, end, base, __LONG_MAX__);
}

long long strtoll(const char *text, char **end, int base) {
  return heddle_parse_signed(text, end, base, __LONG_LONG_MAX__);
}

unsigned long strtoul(const char *text, char **end, int base) {
  return (unsigned long)heddle_parse_unsigned(text, end, base, ~0UL);
}

unsigned long long strtoull(const char *text, char **end, int base) {
  return heddle_parse_unsigned(text, end, base, ~0ULL);
}

int atoi(const char *text) { return (int)heddle_parse_signed(text, 0, 10, __LONG_MAX__); }
long atol(const char *text) { return (long)heddle_parse_signed(text, 0, 10, __LONG_MAX__); }
long long atoll(const char *text) { return heddle_parse_signed(text, 0, 10, __LONG_LONG_MAX__); }

static void heddle_swap(char *left, char *right, size_t size) {
  for (size_t i = 0; i < size; i = i + 1) {
    char byte = left[i];
    left[i] = right[i];
    right[i] = byte;
  }
}

// Stable, like glibc's for all but huge arrays.
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  char *items = base;
  for (size_t i = 1; i < count; i = i + 1) {
    size_t at = i;
    while (at > 0 && compare(items + (at - 1) * size, items + at * size) > 0) {
      heddle_swap(items + (at - 1) * size, items + at * size, size);
      at = at - 1;
    }
  }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  const char *items = base;
  size_t low = 0;
  size_t high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int order = compare(key, items + middle * size);
    if (order == 0) return (void *)(items + middle * size);
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return 0;
}
