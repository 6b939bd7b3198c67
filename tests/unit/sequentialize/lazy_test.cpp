// The lazy scheme: what it makes means the same as the input, in every form.
#include "sequentialize/lazy.hpp"

#include <gtest/gtest.h>

#include "sequential_programs.hpp"

namespace heddle::sequentialize {
namespace {

struct Example {
  std::string name;
  std::string text;
  std::string verdict;
};

const std::vector<Example> examples{
    {"lost update",
     "int c; void *f(void *a) { c++; return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); assert(c == 2); return 0; }",
     "unsafe"},
    {"locked update",
     "int c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
     "void *f(void *a) { pthread_mutex_lock(&m); c++; pthread_mutex_unlock(&m); return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); assert(c == 2); return 0; }",
     "safe"},
    {"atomic section",
     "int c; void *f(void *a) { __VERIFIER_atomic_begin(); c++; __VERIFIER_atomic_end(); return a; "
     "}"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); c++; pthread_join(t, 0);"
     " assert(c == 2); return 0; }",
     "unsafe"},
    {"threads from a loop, each with its argument",
     "int c; void *f(void *a) { __sync_fetch_and_add(&c, *(int *)a); return 0; }"
     "int main(void) { pthread_t t[2]; int v[2] = {1, 2};"
     " for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, f, &v[i]);"
     " for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(c == 3); return 0; }",
     "safe"},
    {"a result handed over",
     "void *f(void *a) { return (char *)a + 1; }"
     "int main(void) { pthread_t t; char x[2]; void *r; pthread_create(&t, 0, f, x);"
     " pthread_join(t, &r); assert(r == x + 1); return 0; }",
     "safe"},
    {"main leaves first",
     "int c; void *f(void *a) { c = 1; assert(0); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_exit(0); }",
     "unsafe"},
    {"the process ends with main",
     "int c; void *f(void *a) { while (!c) ; assert(0); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
     "safe"},
    {"a thread that never ends keeps nobody back",
     "int c; void *f(void *a) { int i = 0; while (1) i = !i; return a; }"
     "void *g(void *a) { assert(c == 1); return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
     " pthread_join(t, 0); return 0; }",
     "unsafe"},
    {"a condition variable",
     "int ready, seen; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
     "pthread_cond_t c = PTHREAD_COND_INITIALIZER;"
     "void *f(void *a) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c);"
     " pthread_mutex_unlock(&m); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_mutex_lock(&m);"
     " while (!ready) pthread_cond_wait(&c, &m); seen = ready; pthread_mutex_unlock(&m);"
     " assert(seen == 1); return 0; }",
     "safe"},
    {"a function called from two places, and by pointer",
     "int c; int add(int x) { c += x; return c; } int sub(int x) { c -= x; return c; }"
     "void *f(void *a) { int (*p)(int) = add(1) == 1 ? sub : add; p(1); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);"
     " assert(c == 0); return 0; }",
     "safe"},
    {"recursion within the bound",
     "int c; int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }"
     "void *f(void *a) { c = down(2); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);"
     " assert(c == 2); return 0; }",
     "safe"},
    {"recursion beyond the bound",
     "int c; int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }"
     "void *f(void *a) { c = down(9); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);"
     " assert(c == 9); return 0; }",
     "unknown: 'down' calls itself more than 3 times"},
    {"a copy of a variable for each thread",
     "_Thread_local int mine = 3; void *f(void *a) { mine++; assert(mine == 4); return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); assert(mine == 3); return 0; }",
     "safe"},
    {"nor does one in an atomic section that nobody else cares for",
     "int c, d; extern void __VERIFIER_assume(int);"
     "void *f(void *a) { __VERIFIER_atomic_begin(); d = 1; __VERIFIER_assume(0);"
     " __VERIFIER_atomic_end(); return a; }"
     "void *g(void *a) { c = 1; assert(0); return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
     " pthread_exit(0); }",
     "unsafe"},
    {"a section that waits twice",
     "int y; pthread_mutex_t m; extern void __VERIFIER_assume(int);"
     "void *f(void *a) { __VERIFIER_assume(y); return a; }"
     "void *g(void *a) { __VERIFIER_assume(y); pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"
     " return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
     " __VERIFIER_atomic_begin(); y = 1; pthread_join(t, 0); pthread_join(u, 0); assert(0);"
     " __VERIFIER_atomic_end(); return 0; }",
     "unsafe"},
    {"a waiting section sees what was written meanwhile",
     "int y; pthread_mutex_t m; extern void __VERIFIER_assume(int);"
     "void *f(void *a) { __VERIFIER_atomic_begin(); int before = y; pthread_mutex_lock(&m);"
     " assert(!(before == 0 && y == 1)); __VERIFIER_atomic_end(); return a; }"
     "int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, f, 0);"
     " y = 1; pthread_mutex_unlock(&m); return 0; }",
     "unsafe"},
    {"an assumption ends nobody else's life",
     "int c; extern void __VERIFIER_assume(int);"
     "void *f(void *a) { __VERIFIER_assume(0); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); c = 1; assert(0); return 0; }",
     "unsafe"},
    {"variables that a loop declares anew",
     "int c; struct s { int a, b[2]; };"
     "void *f(void *a) { c = 1; return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);"
     " for (int i = 0; i < 2; i++) { struct s s; int v[2];"
     " if (i == 1) assert(c == 0 || s.b[1] == 3 || v[1] == 3 || s.a == 3);"
     " s.a = s.b[1] = v[1] = 3; } return 0; }",
     "unsafe"},
    {"unknown code that changes all of what it is handed",
     "extern void change(void *); struct s { int a; char b[2]; } s; int v[2];"
     "void *f(void *a) { change(&s.a); change(v); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0);"
     " assert(s.b[1] != 7 || v[1] != 9); return 0; }",
     "unsafe"},
};

// One created thread: few enough states for every form.
bool is_small(const Example& example) {
  return example.text.find("create") == example.text.rfind("create") &&
         example.text.find("for (") == std::string::npos;
}

using Form = std::tuple<std::size_t, Scheduler, PcForm>;

std::vector<Form> forms() {
  std::vector<Form> result;
  for (std::size_t i = 0; i < examples.size(); ++i)
    for (const Scheduler scheduler :
         {Scheduler::rounds, Scheduler::statements, Scheduler::next_thread})
      for (const PcForm pc : {PcForm::scalar, PcForm::array})
        if (scheduler != Scheduler::statements || is_small(examples[i]))
          result.emplace_back(i, scheduler, pc);
  return result;
}

class EveryForm : public testing::TestWithParam<Form> {};

TEST_P(EveryForm, MeansTheSame) {
  const auto& [index, scheduler, pc] = GetParam();
  const Example& example = examples[index];
  SCOPED_TRACE(example.name);
  const ir::Program program = program_of(example.text);
  const Facts facts(program);
  const bool small = is_small(example);
  for (const unsigned bits : {7U, 6U, 5U, 3U}) {  // all reductions, and each one missing
    if (bits != 7 && (!small || pc == PcForm::array)) continue;  // too many states for a test
    LazyOptions options;
    options.scheduler = scheduler;
    options.pc = pc;
    options.join_local = (bits & 1) != 0 ? Switch::on : Switch::off;
    options.conflicts = (bits & 2) != 0 ? Switch::on : Switch::off;
    options.justified = (bits & 4) != 0 ? Switch::on : Switch::off;
    options.markers = Switch::on;
    EXPECT_EQ(verdict_of(sequentialize_lazily(program, facts, options).program), example.verdict)
        << "switches " << bits;
  }
}

INSTANTIATE_TEST_SUITE_P(Lazy, EveryForm, testing::ValuesIn(forms()));

TEST(Lazy, IsOneFunctionWithoutThreads) {
  for (const Example& example : examples) {
    const Sequential made = lazily(program_of(example.text));
    const ir::Function& main = made.program.function(made.program.entry());
    for (const ir::LocId at : main.locations)
      for (const ir::EdgeId edge : made.program.out(at)) {
        const ir::Statement& statement = made.program.edge(edge).statement;
        EXPECT_FALSE(std::holds_alternative<ir::Call>(statement) ||
                     std::holds_alternative<ir::Spawn>(statement) ||
                     std::holds_alternative<ir::Await>(statement) ||
                     std::holds_alternative<ir::Atomic>(statement) ||
                     std::holds_alternative<ir::Self>(statement))
            << example.name;
      }
  }
}

// The text, with one statement of thread 1 replaced everywhere, is no sequentialization any more.
TEST(Lazy, MarkersCatchABrokenSequentialization) {
  LazyOptions options;
  options.markers = Switch::on;
  options.emission.wording = Wording::plain;
  const std::string text = as_c(lazily(program_of(examples[1].text), options));
  const auto verdict_with = [&](const std::string& statement, const std::string& broken) {
    std::string changed = text;
    std::size_t at = changed.find(statement);
    EXPECT_NE(at, std::string::npos) << statement;
    for (; at != std::string::npos; at = changed.find(statement, at + broken.size()))
      changed.replace(at, statement.size(), broken);
    return verdict_of(passes::simplify(frontend::parse_text("broken.c", changed)));
  };
  EXPECT_EQ(verdict_with("pc1 = 1;", "pc1 = 1;"), "safe");
  EXPECT_EQ(verdict_with("pc1 = 1;", "pc1 = -1;"), "unsafe");
  EXPECT_EQ(verdict_with("pc1 = 1;", "pc1 = 1000;"), "unsafe");
  EXPECT_EQ(verdict_with("id1 = threads_created;", "id1 = 0;"), "unsafe");
  EXPECT_EQ(verdict_with("id1 = threads_created;", "id1 = threads_created + 2;"), "unsafe");
  EXPECT_EQ(verdict_with("will_write1 = 0UL;", "will_write1 = 1UL;"), "unsafe");
}

TEST(Lazy, ReductionsLeaveFewerPlacesToSwitch) {
  const ir::Program program = program_of(examples[1].text);
  LazyOptions plain;
  plain.join_local = plain.conflicts = Switch::off;
  const Counters all = lazily(program, plain).counters;
  const Counters few = lazily(program).counters;
  EXPECT_EQ(all.joined + all.switch_points, few.joined + few.switch_points);
  EXPECT_LT(few.switch_points, all.switch_points / 2);
  EXPECT_EQ(all.guarded, 0U);
  EXPECT_GT(few.guarded, 0U);
}

// One thread alone names the variable; the other one has its address from outside.
TEST(Lazy, AnAddressFromOutsideMayConflict) {
  const ir::Program program = program_of(
      "int x; extern unsigned long __VERIFIER_nondet_ulong(void);"
      "extern void __VERIFIER_assume(int);"
      "void *f(void *a) { x = 1; assert(x == 1); return a; }"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);"
      " unsigned long v = __VERIFIER_nondet_ulong(); __VERIFIER_assume(v == (unsigned long)&x);"
      " *(int *)v = 2; return 0; }");
  EXPECT_EQ(verdict_of(lazily(program).program), "unsafe");
}

TEST(Lazy, RoundsAreABound) {
  const ir::Program program = program_of(examples[1].text);
  LazyOptions options;
  options.rounds = 1;
  EXPECT_EQ(verdict_of(lazily(program, options).program), "unknown: more than 1 rounds");
  options.rounds = 24;
  EXPECT_EQ(verdict_of(lazily(program, options).program), "safe");
}

TEST(Lazy, RejectsWhatIsTooLarge) {
  const ir::Program program = program_of(examples[0].text);
  LazyOptions options;
  options.limits.most_points = 50;
  EXPECT_THROW(lazily(program, options), Rejected);
}

// Two threads write one variable each and read the other's: 34,650 interleavings of all
// statements, of which three differ.
const std::string store_buffer =
    "int x, y; void *t1(void *a) { int i; x = 1; if (y == 1) { i = 42; } return 0; }"
    "void *t2(void *a) { int j; y = 1; if (x == 1) { j = 42; } return 0; }"
    "int main(void) { pthread_t a, b; pthread_create(&a, 0, t1, 0);"
    " pthread_create(&b, 0, t2, 0); pthread_exit(0); }";

TEST(Lazy, FewInterleavingsRemain) {
  const ir::Program program = program_of(store_buffer);
  const Facts facts(program);
  for (const Scheduler scheduler : {Scheduler::rounds, Scheduler::next_thread}) {
    const std::size_t count = interleavings_left(program, facts, scheduler);
    EXPECT_GE(count, 3U);
    EXPECT_LE(count, 6U);
  }
}

// ---- as C ------------------------------------------------------------------------

LazyOptions plain() {
  LazyOptions options;
  options.emission.wording = Wording::plain;
  options.rounds = 4;
  return options;
}

TEST(Lazy, PrintsCThatCompilesAndMeansTheSame) {
  for (std::size_t i = 0; i < examples.size(); ++i) {
    SCOPED_TRACE(examples[i].name);
    const Sequential made = lazily(program_of(examples[i].text), plain());
    const std::string text = as_c(made);
    EXPECT_EQ(text, as_c(lazily(program_of(examples[i].text), plain()))) << "not the same again";
    EXPECT_TRUE(compiles(text));
    const ir::Program again = passes::simplify(frontend::parse_text("sequential.c", text));
    const std::string verdict = bounded_verdict_of(again);
    if (examples[i].verdict == "unsafe") {
      EXPECT_EQ(verdict, "unsafe");
    } else {
      EXPECT_TRUE(verdict == "safe" || verdict.starts_with("unknown")) << verdict;
    }
    for (const char* foreign :
         {"pthread_create", "pthread_mutex_lock", "__atomic_load", "__atomic_store", "__sync",
          "__heddle", "__VERIFIER_assume", "alloc"})
      EXPECT_EQ(text.find(foreign), std::string::npos) << foreign;
  }
}

}  // namespace
}  // namespace heddle::sequentialize
