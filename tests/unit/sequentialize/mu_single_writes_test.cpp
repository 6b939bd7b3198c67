// Memory unwinding with every write by itself: atomic sections, and what shares a position.
#include "mu_programs.hpp"

namespace heddle::testing {
namespace {

TEST(Mu, EachWriteByItselfShowsThatTheBoundIsEnough) {
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_TRUE(
        std::holds_alternative<verdict::Safe>(check(locked_update, options, {1, 2}).verdict));
  }
}

TEST(Mu, SectionsAreSeenAsAWhole) {
  const std::string pair = R"(
int x, y;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  x = 1;
  y = 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  BEGIN
  int u = x;
  int v = y;
  END
  if (u != v) reach_error();
  return 0;
})";
  const auto with = [&](const std::string& begin, const std::string& end) {
    std::string text = pair;
    text.replace(text.find("BEGIN"), 5, begin);
    text.replace(text.find("END"), 3, end);
    return text;
  };
  expect_not_found(with("__VERIFIER_atomic_begin();", "__VERIFIER_atomic_end();"));
  expect_found(with("", ""));
}

// Each sees the other's write, or one comes first: they cannot both come first.
TEST(Mu, SectionsAtOnePositionSeeNoneOfEachOther) {
  const std::string crossed = R"(
int x, y;
void *left(void *p) {
  __VERIFIER_atomic_begin();
  x = y + 1;
  __VERIFIER_atomic_end();
  return 0;
}
void *right(void *p) {
  __VERIFIER_atomic_begin();
  y = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x RELATION y) reach_error();
  return 0;
})";
  const auto with = [&](const std::string& relation) {
    std::string text = crossed;
    text.replace(text.find("RELATION"), 8, relation);
    return text;
  };
  expect_not_found(with("=="));
  expect_found(with("<"));
  expect_found(with(">"));
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_TRUE(std::holds_alternative<verdict::Safe>(check(with("=="), options, {2}).verdict));
  }
}

// After its own write a section still sees nothing of what others write at the same position.
TEST(Mu, ASectionSeesWhatItHasWritten) {
  const std::string text = R"(
int x, y, seen_x, seen_y;
void *left(void *p) {
  __VERIFIER_atomic_begin();
  x = 5;
  seen_x = x;
  seen_y = y;
  __VERIFIER_atomic_end();
  return 0;
}
void *right(void *p) {
  __VERIFIER_atomic_begin();
  y = x + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (seen_x != 5 || seen_y == 6 || (seen_y == 0) != (y == 6)) reach_error();
  return 0;
})";
  expect_not_found(text);
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_TRUE(std::holds_alternative<verdict::Safe>(check(text, options, {2}).verdict));
  }
}

// Four threads that have nothing to do with each other, and one that sees them all.
TEST(Mu, WritesThatDoNotDependOnEachOtherShareAPosition) {
  const std::string text = R"(
int x[4];
void *worker(void *p) { x[(int)(long)p] = 1; return 0; }
int main(void) {
  pthread_t t[4];
  for (int i = 0; i < 4; ++i) pthread_create(&t[i], 0, worker, (void *)(long)i);
  if (x[0] + x[1] + x[2] + x[3] == 4) reach_error();
  return 0;
})";
  const ir::Program program = program_of(text);
  for (const MuVariant variant : fine_variants)
    for (const Switch shared : {Switch::on, Switch::off}) {
      MuOptions options;
      options.variant = variant;
      options.positions = 2;
      options.shared_positions = shared;
      const verdict::Verdict verdict = check_once(program, options);
      EXPECT_EQ(std::holds_alternative<verdict::Unsafe>(verdict), shared == Switch::on)
          << "variant " << static_cast<int>(variant);
      EXPECT_FALSE(std::holds_alternative<verdict::Safe>(verdict));
      const Checked found = check(text, options, {1, 2});
      EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
      if (shared == Switch::off) {
        EXPECT_EQ(found.sharing, 0U);
      }
    }
}

// At the lowest bound there are eight positions for three writes each of four threads.
TEST(Mu, CountsTheWritesThatShareAPosition) {
  const std::string text = R"(
int x[4];
void *worker(void *p) { for (int i = 1; i < 4; ++i) x[(int)(long)p] = i; return 0; }
int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, worker, (void *)0L);
  pthread_create(&t[1], 0, worker, (void *)1L);
  pthread_create(&t[2], 0, worker, (void *)2L);
  pthread_create(&t[3], 0, worker, (void *)3L);
  if (x[0] + x[1] + x[2] + x[3] == 12) reach_error();
  return 0;
})";
  MuOptions options;
  options.variant = MuVariant::explicit_reads;
  options.limits.unwind = 4;
  const Checked found = check(text, options, {1});
  EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict));
  EXPECT_GE(found.sharing, 4U);
}

TEST(Mu, PositionsOfSingleWritesAreBits) {
  const ir::Program program = program_of(lost_update);
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    options.positions = sequentialize::most_writes;
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(check_once(program, options)));
    ++options.positions;
    EXPECT_THROW(check_once(program, options), sequentialize::Rejected);
  }
}

// What a section would have done that goes beyond a bound is not known, whatever it wrote before.
TEST(Mu, ASectionThatIsBrokenOffProvesNothing) {
  const std::string text = R"(
int x, y;
void *worker(void *p) {
  __VERIFIER_atomic_begin();
  x = 1;
  for (int i = 0; i < 40; ++i) y = y + 1;
  __VERIFIER_atomic_end();
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, worker, 0);
  if (y == 40) reach_error();
  return 0;
})";
  for (const MuVariant variant : fine_variants) {
    MuOptions options;
    options.variant = variant;
    EXPECT_FALSE(std::holds_alternative<verdict::Safe>(check(text, options, {1, 2}).verdict));
  }
}

}  // namespace
}  // namespace heddle::testing
