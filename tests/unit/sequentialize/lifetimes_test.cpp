// Objects of frames end with them in sequential programs too, wherever somebody could tell: what
// uses one afterwards is undefined, and never safe.
#include <gtest/gtest.h>

#include "portfolio/sequentialized.hpp"
#include "sequential_programs.hpp"
#include "sequentialize/mu.hpp"

namespace heddle::sequentialize {
namespace {

struct Example {
  std::string name;
  std::string text;
  std::string verdict;  // of the lazy scheme: safe, unsafe, or what the explorer says is undefined
  std::string by_mu = "unknown";  // of memory unwinding
};

const std::string dead = "unknown: use of memory whose life has ended";
const std::string one_thread =
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }";

const std::vector<Example> examples{
    {"returned",
     "int seen; int *leak(void) { int x = 1; int *p = &x; return p; }"
     "void *f(void *a) { int *p = leak(); seen = *p; return a; }" +
         one_thread,
     dead},
    {"kept in a global",
     "int *kept; void keep(void) { int x = 1; kept = &x; *kept = 2; }"
     "void *f(void *a) { keep(); *kept = 3; return a; }" +
         one_thread,
     dead},
    {"kept in a global, not used afterwards",
     "int *kept; void keep(void) { int x = 1; kept = &x; *kept = 2; assert(x == 2); }"
     "void *f(void *a) { keep(); keep(); return a; }" +
         one_thread,
     "safe", "safe"},
    {"kept in a block",
     "#include <stdlib.h>\n"
     "void keep(int **block) { int x = 1; *block = &x; }"
     "void *f(void *a) { int **block = malloc(sizeof *block); keep(block); **block = 2;"
     " free(block); return a; }" +
         one_thread,
     dead},
    {"kept by the caller",
     "struct s { int *p; }; void keep(struct s *s) { int x = 1; s->p = &x; }"
     "void *f(void *a) { struct s s; keep(&s); *s.p = 2; return a; }" +
         one_thread,
     dead},
    {"of the caller, known to the called",
     "struct s { int *p; }; void use(struct s *s) { *s->p += 1; }"
     "void *f(void *a) { int x = 1; struct s s = {&x}; use(&s); assert(x == 2); return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); return 0; }",
     "safe", "safe"},
    {"handed to a thread that runs on",
     "pthread_t t; void *f(void *a) { *(int *)a = 2; return 0; }"
     "void begin(void) { int x = 1; pthread_create(&t, 0, f, &x); }"
     "int main(void) { begin(); pthread_join(t, 0); return 0; }",
     dead},
    {"handed to a thread that fails before",
     "pthread_t t; void *f(void *a) { assert(*(int *)a != 1); return 0; }"
     "void begin(void) { int x = 1; pthread_create(&t, 0, f, &x); }"
     "int main(void) { begin(); pthread_join(t, 0); return 0; }",
     "unsafe", "unsafe"},
    {"handed to a thread that is joined",
     "void *f(void *a) { *(int *)a = 2; return 0; }"
     "void both(void) { int x = 1; pthread_t t; pthread_create(&t, 0, f, &x); pthread_join(t, 0);"
     " assert(x == 2); }"
     "int main(void) { both(); both(); return 0; }",
     "safe", "safe"},
    {"used in time, or too late, and kept from changing",
     "pthread_mutex_t m; int *lent; void lend(void) { int x = 1; pthread_mutex_lock(&m); lent = &x;"
     " pthread_mutex_unlock(&m); pthread_mutex_lock(&m); lent = 0; assert(x == 1);"
     " pthread_mutex_unlock(&m); }"
     "void *f(void *a) { lend(); return a; }"
     "void *g(void *a) { pthread_mutex_lock(&m); if (lent) *lent += 1; pthread_mutex_unlock(&m);"
     " return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); return 0; }",
     "unsafe", "unsafe"},
    {"taken back in time",
     "pthread_mutex_t m; int *lent; void lend(void) { int x = 1; pthread_mutex_lock(&m); lent = &x;"
     " pthread_mutex_unlock(&m); pthread_mutex_lock(&m); lent = 0; assert(x > 0);"
     " pthread_mutex_unlock(&m); }"
     "void *f(void *a) { lend(); return a; }"
     "void *g(void *a) { pthread_mutex_lock(&m); if (lent) *lent += 1; pthread_mutex_unlock(&m);"
     " return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); return 0; }",
     "safe", "unknown"},
    {"taken back too late",
     "pthread_mutex_t m; int *lent; void lend(void) { int x = 1; pthread_mutex_lock(&m); lent = &x;"
     " pthread_mutex_unlock(&m); }"
     "void *f(void *a) { lend(); pthread_mutex_lock(&m); lent = 0; pthread_mutex_unlock(&m);"
     " return a; }"
     "void *g(void *a) { pthread_mutex_lock(&m); if (lent) *lent += 1; pthread_mutex_unlock(&m);"
     " return a; }"
     "int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, g, 0);"
     " pthread_join(t, 0); pthread_join(u, 0); return 0; }",
     dead},
    {"handed to a thread that has said so",
     "int done; pthread_t t; void *f(void *a) { *(int *)a = 2; done = 1; return 0; }"
     "void begin(void) { int x = 1; pthread_create(&t, 0, f, &x); while (!done) ; assert(x == 2); }"
     "int main(void) { begin(); pthread_join(t, 0); return 0; }",
     "safe", "unknown"},
    {"handed to a thread that says so too early",
     "int done; pthread_t t; void *f(void *a) { done = 1; *(int *)a = 2; return 0; }"
     "void begin(void) { int x = 1; pthread_create(&t, 0, f, &x); while (!done) ; }"
     "int main(void) { begin(); pthread_join(t, 0); return 0; }",
     dead},
    {"waited for while it ends",
     "#include <semaphore.h>\n"
     "pthread_t t; void *f(void *a) { sem_wait(a); return 0; }"
     "void begin(void) { sem_t s; sem_init(&s, 0, 0); pthread_create(&t, 0, f, &s); }"
     "int main(void) { begin(); return 0; }",
     dead},
    {"waited for in time",
     "#include <semaphore.h>\n"
     "pthread_t t; int seen; void *f(void *a) { sem_wait(a); seen = 1; return 0; }"
     "void begin(void) { sem_t s; sem_init(&s, 0, 0); pthread_create(&t, 0, f, &s); sem_post(&s);"
     " pthread_join(t, 0); assert(seen); }"
     "int main(void) { begin(); return 0; }",
     "safe", "safe"},
    {"of the activation before",
     "int total; void step(int i) { static int *before; int x = i; if (i > 0) total += *before;"
     " before = &x; } void *f(void *a) { step(0); step(1); return a; }" +
         one_thread,
     dead},
    {"of this activation",
     "int total; void step(int i) { static int *before; int x = i; before = &x; total += *before; }"
     "void *f(void *a) { step(0); step(1); assert(total == 1); return a; }" +
         one_thread,
     "safe", "safe"},
    {"of the round before",
     "int total; void *f(void *a) { int *before = 0;"
     " for (int i = 0; i < 2; i++) { int x = i; if (before) total += *before; before = &x; }"
     " return a; }" +
         one_thread,
     dead},
    {"of this round",
     "int total; void add(int *p) { total += *p; } void *f(void *a) {"
     " for (int i = 0; i < 2; i++) { int x = i; add(&x); } assert(total == 1); return a; }" +
         one_thread,
     "safe", "safe"},
    {"of a round of main, handed to a thread that runs on",
     "void *f(void *a) { *(int *)a = 2; return 0; } int main(void) { pthread_t t[2];"
     " for (int i = 0; i < 2; i++) { int x = i; pthread_create(&t[i], 0, f, &x); }"
     " pthread_join(t[0], 0); pthread_join(t[1], 0); return 0; }",
     dead},
    {"of main, which ends with the process",
     "int *kept; void *f(void *a) { *kept = 2; return a; }"
     "int main(void) { pthread_t t; int x = 1; kept = &x; pthread_create(&t, 0, f, 0); return 0; }",
     "safe", "safe"},
    {"of main, which leaves before",
     "int *kept; void *f(void *a) { *kept = 2; return a; } int main(void) { pthread_t t; int x = 1;"
     " kept = &x; pthread_create(&t, 0, f, 0); pthread_exit(0); }",
     dead},
    {"of a thread that has ended",
     "int *kept; void *f(void *a) { int x = 1; kept = &x; *kept = 2; return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); *kept = 3;"
     " return 0; }",
     dead},
    {"of a caller of a thread's end",
     "int *kept; void leave(void) { pthread_exit(0); }"
     "void *f(void *a) { int x = 1; kept = &x; leave(); return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); *kept = 3;"
     " return 0; }",
     dead},
    {"a thread's own variable after its end",
     "_Thread_local int mine; int *kept; void *f(void *a) { kept = &mine; return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); *kept = 3;"
     " return 0; }",
     "unknown: another thread may know a variable of a thread that has ended"},
    {"room for some numbers",
     "int *kept; void keep(int n) { for (int i = 0; i < n; i++) { int *p ="
     " __builtin_alloca(sizeof *p); *p = i; if (i == 0) kept = p; } }"
     "void *f(void *a) { keep(2); *kept = 3; return a; }" +
         one_thread,
     dead},
    {"freed as if it were a block",
     "#include <stdlib.h>\n"
     "int *kept; void *f(void *a) { int x = 1; kept = &x; free(kept); while (1) ; return a; }"
     "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }",
     "unknown: free of a local variable"},
    {"recursion",
     "int *kept; int down(int n) { int x = n; if (n == 2) kept = &x; if (n > 0) return down(n - 1);"
     " return *kept; }"
     "void *f(void *a) { assert(down(2) == 2); return a; }" +
         one_thread,
     "safe", "safe"},
    {"recursion that has returned",
     "int *kept; int down(int n) { int x = n; if (n == 0) kept = &x; if (n > 0) down(n - 1);"
     " return *kept; }"
     "void *f(void *a) { down(2); return a; }" +
         one_thread,
     dead},
};

std::ostream& operator<<(std::ostream& out, const Example& example) { return out << example.name; }

class Lifetimes : public testing::TestWithParam<Example> {};

std::string sequentialized_verdict(const ir::Program& program, const LazyOptions& options) {
  return verdict_of(sequentialize_lazily(program, Facts(program), options).program);
}

TEST_P(Lifetimes, InEveryFormOfTheLazyScheme) {
  const ir::Program program = program_of(GetParam().text);
  for (const Scheduler scheduler : {Scheduler::rounds, Scheduler::next_thread})
    for (const unsigned bits : {7U, 6U, 5U, 3U}) {  // all reductions, and each one missing
      LazyOptions options;
      options.scheduler = scheduler;
      options.join_local = (bits & 1) != 0 ? Switch::on : Switch::off;
      options.conflicts = (bits & 2) != 0 ? Switch::on : Switch::off;
      options.justified = (bits & 4) != 0 ? Switch::on : Switch::off;
      EXPECT_EQ(sequentialized_verdict(program, options), GetParam().verdict)
          << "scheduler " << static_cast<int>(scheduler) << ", switches " << bits;
    }
}

TEST_P(Lifetimes, WithLoopsUnrolled) {
  LazyOptions options;
  options.limits.unwind = 3;
  const std::string verdict = sequentialized_verdict(program_of(GetParam().text), options);
  if (GetParam().verdict == "safe")
    EXPECT_TRUE(verdict == "safe" || verdict.find("goes round") != std::string::npos) << verdict;
  else
    EXPECT_EQ(verdict, GetParam().verdict);
}

TEST_P(Lifetimes, PrintedAsC) {
  LazyOptions options;
  options.emission.wording = Wording::plain;
  options.rounds = 4;
  const std::string text = as_c(lazily(program_of(GetParam().text), options));
  EXPECT_TRUE(compiles(text)) << text;
  const std::string verdict =
      bounded_verdict_of(passes::simplify(frontend::parse_text("sequential.c", text)));
  EXPECT_EQ(verdict == "unsafe", GetParam().verdict == "unsafe") << verdict;
  if (GetParam().verdict == dead) {
    EXPECT_NE(verdict, "safe");
  }
}

std::string verdict_of_engine(portfolio::Sequentialized& engine) {
  const std::string verdict = ask(engine, program_of(Lifetimes::GetParam().text));
  EXPECT_EQ(engine.statistics().unreplayed, 0U) << engine.statistics().why_unreplayed;
  return verdict.substr(0, verdict.find(':'));
}

TEST_P(Lifetimes, UnrolledByBmc) {
  portfolio::Lazy engine({}, {.bounds = {1, 2, 3, 4}},
                         {.explorer = portfolio::Explorer::not_asked});
  const std::string verdict = verdict_of_engine(engine);
  if (GetParam().verdict == "safe")
    EXPECT_NE(verdict, "unsafe");
  else
    EXPECT_EQ(verdict, GetParam().verdict.substr(0, GetParam().verdict.find(':')));
}

TEST_P(Lifetimes, InEveryVariantOfMemoryUnwinding) {
  for (const MuVariant variant :
       {MuVariant::explicit_reads, MuVariant::implicit_reads, MuVariant::mixed_reads,
        MuVariant::intra_thread, MuVariant::inter_thread}) {
    MuOptions options;
    options.variant = variant;
    portfolio::Mu engine(options, {.bounds = {1, 2}});
    const std::string verdict = verdict_of_engine(engine);
    SCOPED_TRACE("variant " + std::to_string(static_cast<int>(variant)));
    const bool may_leave_it_open =
        GetParam().by_mu == "safe" && variant != MuVariant::explicit_reads;
    EXPECT_TRUE(verdict == GetParam().by_mu || (may_leave_it_open && verdict == "unknown"))
        << verdict;
  }
}

INSTANTIATE_TEST_SUITE_P(Sequentialized, Lifetimes, testing::ValuesIn(examples));

TEST(EndedObjects, OnlyObjectsThatSomebodyMayKnowOfAreEnded) {
  const auto ended = [](const std::string& name) {
    for (const Example& example : examples)
      if (example.name == name) return lazily(program_of(example.text)).counters.ended;
    return std::uint64_t{99};
  };
  EXPECT_EQ(ended("kept in a global"), 1U);
  EXPECT_EQ(ended("handed to a thread that is joined"), 2U);  // once for each call
  EXPECT_EQ(ended("of the caller, known to the called"), 0U);
  EXPECT_EQ(ended("of this round"), 0U);
  EXPECT_EQ(ended("of main, which ends with the process"), 0U);
}

}  // namespace
}  // namespace heddle::sequentialize
