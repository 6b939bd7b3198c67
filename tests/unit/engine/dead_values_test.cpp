// Values that nobody reads any more: forgotten, and nothing else is.
#include <gtest/gtest.h>

#include "check/replay.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {
namespace {

using engine::explore::Forgetting;
using verdict::Check;

struct Compared {
  Explored with{};
  Explored without{};
};

Compared compared(const std::string& text, Check check = Check::error_call) {
  Compared both{explored(text, {check}), explored(text, {check}, {.forgetting = Forgetting::off})};
  EXPECT_EQ(both.with.answer(), both.without.answer()) << text;
  EXPECT_EQ(both.without.statistics.forgotten_values, 0U);
  return both;
}

const std::string count_and_look = R"(
int x, y;
void *count(void *p) { for (int i = 0; i < 4; i++) x++; return 0; }
void *look(void *p) { for (int i = 0; i < 4; i++) { int seen = x; if (seen > 2) y = 1; } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, look, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 4) reach_error();
  return 0;
})";

TEST(DeadValues, StatesThatDifferInThemAreOne) {
  const Compared both = compared(count_and_look);
  EXPECT_EQ(both.with.answer(), "safe");
  EXPECT_GT(both.with.statistics.forgotten_values, 0U);
  EXPECT_LT(both.with.statistics.states, both.without.statistics.states);
}

TEST(DeadValues, WhatAFunctionNeedsAfterACallIsKept) {
  const std::string text = R"(
int x;
int twice(int n) { x++; int seen = x; return seen + n; }
void *work(void *p) {
  int before = x;
  int after = twice(before);
  if (after == 3) reach_error();  // 2 seen after 1
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
})";
  EXPECT_EQ(compared(text).with.answer(), "unsafe");
}

// The callback goes on with a copy of its parameter, but that it still touches the data is known by
// the parameter. Forgotten, the step before the error was taken at once.
TEST(DeadValues, ParametersSayWhatAFrameMayStillTouch) {
  const Compared both = compared(R"(
struct data { int a, b; };
void *callback(void *p) {
  struct data *data = p;
  __VERIFIER_atomic_begin();
  data->a = 1;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  data->b = data->b + 1;
  __VERIFIER_atomic_end();
  return 0;
}
pthread_t a, b;
void disconnect(struct data *data) {
  pthread_join(a, 0);
  __VERIFIER_atomic_begin();
  data->a = 3;
  __VERIFIER_atomic_end();
  __VERIFIER_atomic_begin();
  if (data->a != 3) reach_error();
  __VERIFIER_atomic_end();
  pthread_join(b, 0);
}
int main(void) {
  struct data data = {0, 0};
  pthread_create(&a, 0, callback, &data);
  pthread_create(&b, 0, callback, &data);
  disconnect(&data);
  if (data.a != 3) reach_error();
  return 0;
})");
  const auto& unsafe = std::get<verdict::Unsafe>(both.with.verdict);
  const check::ReplayResult replay =
      check::replay(both.with.program, {{Check::error_call}}, unsafe.trace, unsafe.violation);
  EXPECT_TRUE(replay.confirmed) << replay.reason;
}

// The program of which values are forgotten where errors are asked about.
TEST(DeadValues, AreKeptWhereLeaksAreAskedAbout) {
  EXPECT_EQ(compared(count_and_look, Check::leak).with.statistics.forgotten_values, 0U);
}

}  // namespace
}  // namespace heddle::testing
