// Memory unwinding of memory that accesses of different sizes share, and of accesses that it does
// not model.
#include "mu_programs.hpp"

namespace heddle::testing {
namespace {

// Two threads; `wrong` says in main, after both were joined, what is an error.
std::string two_threads(const std::string& shared, const std::string& first,
                        const std::string& second, const std::string& wrong) {
  return R"(
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void *memset(void *, int, unsigned long);
)" + shared +
         "\nvoid *one(void *p) { " + first + " return 0; }\nvoid *two(void *p) { " + second +
         " return 0; }\n" + R"(
int main(void) {
  pthread_t a, b;
  start();
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if ()" +
         wrong +
         R"() reach_error();
  return 0;
})";
}

// With single writes it is known that there is no error.
void expect_safe(const std::string& text) {
  expect_not_found(text);
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, {1, 2, 3});
    EXPECT_TRUE(std::holds_alternative<verdict::Safe>(found.verdict))
        << "variant " << static_cast<int>(variant);
  }
}

const std::string overlay = "union { unsigned i; unsigned char b[4]; } u; void start(void) {}";

TEST(MuSizes, BytesOfOneWordDoNotDisturbEachOther) {
  const std::string set = "u.b[0] = 1;", other = "u.b[3] = 2;";
  expect_found(two_threads(overlay, set, other, "u.i == 0x02000001"));
  expect_safe(two_threads(overlay, set, other, "u.i != 0x02000001"));
}

TEST(MuSizes, AWordIsWrittenAtOnce) {
  const std::string shared = overlay + " unsigned seen;";
  const auto text = [&](const std::string& wrong) {
    return two_threads(shared, "u.i = 0x01020304;", "seen = u.b[0] + u.b[1];", wrong);
  };
  expect_found(text("seen == 3"));  // the first byte was read before
  expect_found(text("seen == 7"));
  const auto whole = [&](const std::string& wrong) {
    return two_threads(shared, "u.b[1] = 7; u.i = 0x01020304;", "seen = u.i;", wrong);
  };
  expect_found(whole("seen == 0x0700"));
  expect_safe(whole("seen != 0 && seen != 0x0700 && seen != 0x01020304"));
}

TEST(MuSizes, BytesByIndex) {
  const std::string shared = overlay + " int k;";
  const auto text = [&](const std::string& wrong) {
    return two_threads(shared, "k = 2;", "u.b[k] = 9;", wrong);
  };
  expect_found(text("u.i == 9"));
  expect_found(text("u.i == 0x090000"));
  expect_safe(text("u.i != 9 && u.i != 0x090000"));
}

TEST(MuSizes, ArraysThatAreNoMultipleOfTheLargestAccess) {
  const std::string shared =
      "char v[7] __attribute__((aligned(4))); int k; void start(void) { k = 6; }";
  const auto text = [&](const std::string& wrong) {
    return two_threads(shared, "k = 5;", "*(int *)&v[k & 4 ? 0 : 4] = 0x01010101; v[k] = 2;",
                       wrong);
  };
  expect_found(text("v[3] == 1 && v[4] == 0 && v[5] == 2 && v[6] == 0"));
  expect_found(text("v[3] == 1 && v[5] == 0 && v[6] == 2"));
  expect_safe(text("v[3] != 1 || v[4] != 0 || v[5] + v[6] != 2"));
}

TEST(MuSizes, UpdatesAndBitFieldsInParts) {
  const std::string shared =
      "union { unsigned i; unsigned char b[4]; struct { unsigned low : 12, high : 20; } f; } u;"
      "void start(void) {}";
  const std::string add = "__sync_fetch_and_add(&u.b[1], 255);";
  expect_found(two_threads(shared, add, add, "u.i == 0xfe00"));
  expect_safe(two_threads(shared, add, add, "u.i != 0xfe00"));
  // A bit-field is written with the bits around it.
  expect_found(two_threads(shared, "u.f.low = 0xfff;", "u.b[1] = 0xf0;", "u.i == 0xffff"));
  const std::string exchange = "__sync_bool_compare_and_swap(&u.b[2], 0, 5);";
  expect_found(two_threads(shared, exchange, "u.i = 0x070000;", "u.i == 0x070000"));
  expect_safe(two_threads(shared, exchange, "u.b[3] = 1;", "u.i != 0x01050000"));
}

TEST(MuSizes, BlocksThatAreFound) {
  const std::string shared =
      "struct s { int n; unsigned char tag, more[3]; } *top; void *start(void) { return 0; }";
  const std::string make =
      "struct s *mine = calloc(1, sizeof *mine); mine->n = 0x0101; top = mine;";
  const auto text = [&](const std::string& wrong) {
    return two_threads(shared, make, "if (top) { *(char *)top = 0; *(short *)top->more = 0x201; }",
                       "top && (" + wrong + ")");
  };
  expect_found(text("top->n == 0x100"));
  expect_found(text("top->n == 0x101"));
  expect_found(text("top->n == 0x100 && top->more[0] == 1 && top->more[1] == 2"));
  expect_not_found(text("top->n != 0x100 && top->n != 0x101"));
}

TEST(MuSizes, MemsetOfAStructure) {
  const std::string shared =
      "struct { int a; char b; short c; } s; void start(void) { s.a = 1; s.c = 2; }";
  const auto text = [&](const std::string& wrong) {
    return two_threads(shared, "memset(&s, 0, sizeof s);", "s.a = 3;", wrong);
  };
  expect_found(text("s.a == 0 && s.c == 0"));
  expect_found(text("s.a == 3"));
  expect_not_found(text("s.c != 0"));
}

// What comes before is looked at all the same, and nothing is proved.
void expect_beyond(const std::string& shared, const std::string& step) {
  const std::string more = shared + " int x;";
  expect_found(two_threads(more, "x = 1; " + step, "if (x == 1) reach_error();", "0"));
  const std::string text = two_threads(more, "x = 1; " + step, "x = 2;", "x == 3");
  expect_not_found(text);
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, {1, 2});
    EXPECT_TRUE(std::holds_alternative<verdict::Unknown>(found.verdict))
        << "variant " << static_cast<int>(variant);
  }
}

TEST(MuSizes, AccessesThatAreNotModelled) {
  expect_beyond("int *unknown(void); void start(void) {}", "*unknown() = 1;");
  expect_beyond("float f; void start(void) { f = 1; }", "f = f + x;");
  expect_beyond(
      "struct { char c; long l; } __attribute__((packed)) s; void start(void) { s.l = 1; }",
      "s.l = x; ((char *)&s)[x] = 2; s.l = s.l + 1;");
}

// A word that lies across units is none of them, not even where there is but one.
TEST(MuSizes, AWordAcrossUnitsIsNotTakenForOne) {
  const std::string text =
      two_threads("struct { char c; int x; } __attribute__((packed)) s; int k; void start(void) {}",
                  "((char *)&s)[k] = 5;", "s.x = 1; s.x = s.x + 1;", "s.c != 5");
  expect_not_found(text);
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, {1, 2});
    EXPECT_TRUE(std::holds_alternative<verdict::Unknown>(found.verdict))
        << "variant " << static_cast<int>(variant);
  }
}

TEST(MuSizes, ThreadLocalsOfThreadsInALoopBeginAnew) {
  const auto text = [](const std::string& wrong) {
    return R"(
__thread struct { int a; union { short s; char c[4]; } u; int v[2]; } mine = {1, {2}, {0, 3}};
int x;
void *worker(void *p) {
  if ()" + wrong +
           R"() reach_error();
  mine.a = 7; mine.u.c[3] = 7; mine.v[0] = 7; mine.v[1] = 7;
  x = x + 1;
  return 0;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, 0);
  return 0;
})";
  };
  expect_not_found(
      text("mine.a != 1 || mine.u.s != 2 || mine.u.c[3] || mine.v[0] || mine.v[1] != 3"));
  expect_found(text("x == 2 && mine.v[1] == 3"));
}

}  // namespace
}  // namespace heddle::testing
