// Pointers, heap objects and threads of all shapes: what other encodings of this kind give up on
// or get wrong.
#include <gtest/gtest.h>

#include "unit/engine/bmc/unrolled.hpp"

namespace heddle::testing {
namespace {

using verdict::Check;

const std::set<Check> errors{Check::error_call};
const std::set<Check> everything{Check::error_call, Check::race, Check::deadlock, Check::deref,
                                 Check::free};

TEST(BmcPrograms, ThreadsCreatedInALoop) {
  const auto program = [](const std::string& wrong) {
    return R"(
int x; pthread_mutex_t m;
void *worker(void *p) { pthread_mutex_lock(&m); x += (int)(long)p; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, worker, (void *)(i + 1));
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  if ()" + wrong +
           ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("x != 6"), everything), "safe");
  EXPECT_EQ(both(program("x == 6"), errors), "unsafe");
}

TEST(BmcPrograms, AnUnknownNumberOfThreads) {
  const auto program = [](const std::string& wrong) {
    return "_Atomic int x; void *worker(void *p) { x++; return 0; } int main(void) { pthread_t t;"
           "int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++)"
           "  pthread_create(&t, 0, worker, 0);"
           "if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("x == 3"), errors), "unsafe");
  EXPECT_EQ(both(program("x < 0"), errors, {.bounds = {1, 2}}), "unknown");
}

TEST(BmcPrograms, ThreadsThatStartThreads) {
  const auto program = [](const std::string& wrong) {
    return "int x; void *inner(void *p) { x = 2; return 0; }"
           "void *outer(void *p) { pthread_t t; x = 1; pthread_create(&t, 0, inner, 0);"
           "  pthread_join(t, 0); return 0; }"
           "int main(void) { pthread_t t; pthread_create(&t, 0, outer, 0); pthread_join(t, 0);"
           "if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("x != 2"), everything), "safe");
  EXPECT_EQ(both(program("x == 2"), errors), "unsafe");
}

TEST(BmcPrograms, ArgumentsAndResultsOfThreads) {
  const auto program = [](const std::string& wrong) {
    return "struct job { int in, out; };"
           "void *worker(void *p) { struct job *job = p; job->out = job->in * 2; return &job->out; "
           "}"
           "int main(void) { pthread_t t[2]; struct job jobs[2] = {{3, 0}, {4, 0}}; int sum = 0;"
           "for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, &jobs[i]);"
           "for (int i = 0; i < 2; i++) { void *r; pthread_join(t[i], &r); sum += *(int *)r; }"
           "if (" +
           wrong + ") reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("sum != 14"), everything), "safe");
  EXPECT_EQ(both(program("sum == 14"), errors), "unsafe");
}

// Two threads push onto a list; with the lock both nodes are in it, without it one may be lost.
std::string list(const std::string& lock, const std::string& unlock) {
  return R"(
void *malloc(unsigned long);
struct node { int value; struct node *next; };
struct node *head; pthread_mutex_t m;
void *push(void *p) {
  struct node *fresh = malloc(sizeof *fresh);
  fresh->value = (int)(long)p;
)" + lock +
         " fresh->next = head; head = fresh; " + unlock + R"(
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, (void *)5);
  pthread_create(&b, 0, push, (void *)6);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int sum = 0;
  for (struct node *n = head; n; n = n->next) sum += n->value;
  if (sum != 11) reach_error();
  return 0;
})";
}

TEST(BmcPrograms, HeapObjectsThroughSharedPointers) {
  EXPECT_EQ(both(list("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"), everything), "safe");
  EXPECT_EQ(both(list("", ""), errors), "unsafe");
}

TEST(BmcPrograms, PointersMadeByAnotherThread) {
  const auto program = [](const std::string& wrong) {
    return "void *malloc(unsigned long); int *_Atomic box;"
           "void *first(void *p) { int *fresh = malloc(8); fresh[1] = 7; box = fresh; return 0; }"
           "void *second(void *p) { int *seen = box; if (seen && " +
           wrong + ") reach_error(); return 0; }" + two_threads("");
  };
  EXPECT_EQ(both(program("seen[1] != 7"), everything), "safe");
  EXPECT_EQ(both(program("seen[1] == 7"), errors), "unsafe");
}

TEST(BmcPrograms, LocksInsideOfStructs) {
  const auto program = [](const std::string& other) {
    return "struct account { pthread_mutex_t m; int money; } a[2];"
           "void put(struct account *to, struct account *guard) { pthread_mutex_lock(&guard->m);"
           "  to->money++; pthread_mutex_unlock(&guard->m); }"
           "void *first(void *p) { put(&a[0], &a[0]); put(&a[1], &a[1]); return 0; }"
           "void *second(void *p) { put(&a[1], " +
           other + "); put(&a[0], &a[0]); return 0; }" +
           two_threads("if (a[0].money != 2 || a[1].money != 2) reach_error();");
  };
  EXPECT_EQ(both(program("&a[1]"), everything), "safe");
  EXPECT_EQ(both(program("&a[0]"), errors), "unsafe");
}

TEST(BmcPrograms, LocksInHeapObjects) {
  const auto program = [](const std::string& lock) {
    return "void *malloc(unsigned long); struct account { pthread_mutex_t m; int money; } *a;"
           "int pthread_mutex_init(pthread_mutex_t *, const void *);"
           "void *work(void *p) { " +
           lock +
           " a->money++; pthread_mutex_unlock(&a->m); return 0; }"
           "int main(void) { pthread_t s, t; a = malloc(sizeof *a);"
           "pthread_mutex_init(&a->m, 0); a->money = 0;"
           "pthread_create(&s, 0, work, 0); pthread_create(&t, 0, work, 0);"
           "pthread_join(s, 0); pthread_join(t, 0); if (a->money != 2) reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("pthread_mutex_lock(&a->m);"), everything), "safe");
}

TEST(BmcPrograms, TheLockIsChosenAtRunTime) {
  const auto program = [](const std::string& second) {
    return "pthread_mutex_t m[2]; int x;"
           "void add(int i) { pthread_mutex_lock(&m[i]); x++; pthread_mutex_unlock(&m[i]); }"
           "int i; void *first(void *p) { add(i); return 0; }"
           "void *second(void *p) { add(" +
           second +
           "); return 0; }"
           "int main(void) { pthread_t a, b; i = __VERIFIER_nondet_int() & 1;"
           "pthread_create(&a, 0, first, 0); pthread_create(&b, 0, second, 0);"
           "pthread_join(a, 0); pthread_join(b, 0); if (x != 2) reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("i"), everything), "safe");
  EXPECT_EQ(both(program("1 - i"), errors), "unsafe");
}

TEST(BmcPrograms, SharedArraysWithOpenIndices) {
  const auto program = [](const std::string& mine) {
    return "int a[4], i; void *first(void *p) { a[i] = 1; return 0; }"
           "void *second(void *p) { a[" +
           mine +
           "] = 2; return 0; }"
           "int main(void) { pthread_t s, t; i = __VERIFIER_nondet_int() & 3;"
           "pthread_create(&s, 0, first, 0); pthread_create(&t, 0, second, 0);"
           "pthread_join(s, 0); pthread_join(t, 0); if (a[i] != 1) reach_error(); return 0; }";
  };
  EXPECT_EQ(both(program("i ^ 1"), everything), "safe");
  EXPECT_EQ(both(program("2"), errors), "unsafe");
}

TEST(BmcPrograms, PartsOfAWordWrittenByDifferentThreads) {
  const auto program = [](const std::string& wrong) {
    return "union { unsigned word; unsigned char bytes[4]; } u;"
           "void *first(void *p) { u.bytes[0] = 0x11; return 0; }"
           "void *second(void *p) { u.bytes[2] = 0x22; return 0; }" +
           two_threads("if (" + wrong + ") reach_error();");
  };
  EXPECT_EQ(both(program("u.word != 0x220011"), everything), "safe");
  EXPECT_EQ(both(program("u.word == 0x220011"), errors), "unsafe");
}

TEST(BmcPrograms, FunctionPointersInSharedMemory) {
  const auto program = [](const std::string& wrong) {
    return "int one(void) { return 1; } int two(void) { return 2; } int (*volatile f)(void) = one;"
           "void *first(void *p) { f = two; return 0; }"
           "void *second(void *p) { int r = f(); if (" +
           wrong + ") reach_error(); return 0; }" + two_threads("");
  };
  EXPECT_EQ(both(program("r != 1 && r != 2"), errors), "safe");
  EXPECT_EQ(both(program("r == 2"), errors), "unsafe");
  EXPECT_EQ(both(program("r == 1"), errors), "unsafe");
}

TEST(BmcPrograms, EachThreadHasItsOwnCopyOfWhatIsThreadLocal) {
  const auto program = [](const std::string& kind) {
    return kind +
           " int x; void *first(void *p) { x++; if (x != 1) reach_error(); return 0; }"
           "void *second(void *p) { x++; if (x != 1) reach_error(); return 0; }" +
           two_threads("");
  };
  EXPECT_EQ(both(program("_Thread_local"), everything), "safe");
  EXPECT_EQ(both(program(""), errors), "unsafe");
}

TEST(BmcPrograms, RecursionUnderALock) {
  const auto program = [](const std::string& wrong) {
    return "int x; pthread_mutex_t m; void add(int n) { if (n == 0) return; x += n; add(n - 1); }"
           "void *first(void *p) { pthread_mutex_lock(&m); add(3); pthread_mutex_unlock(&m);"
           "return 0; } void *second(void *p) { pthread_mutex_lock(&m); add(2);"
           "pthread_mutex_unlock(&m); return 0; }" +
           two_threads("if (" + wrong + ") reach_error();");
  };
  EXPECT_EQ(both(program("x != 9"), everything), "safe");
  EXPECT_EQ(both(program("x == 9"), errors), "unsafe");
}

TEST(BmcPrograms, Semaphores) {
  const auto program = [](const std::string& post) {
    return "typedef union { char size[32]; long align; } sem_t; int sem_init(sem_t *, int, "
           "unsigned);"
           "int sem_wait(sem_t *); int sem_post(sem_t *); sem_t s; int x;"
           "void *first(void *p) { x = 1; " +
           post +
           " return 0; }"
           "void *second(void *p) { sem_wait(&s); if (x != 1) reach_error(); return 0; }"
           "int main(void) { pthread_t a, b; sem_init(&s, 0, 0); pthread_create(&a, 0, first, 0);"
           "pthread_create(&b, 0, second, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }";
  };
  EXPECT_EQ(both(program("sem_post(&s);"), everything), "safe");
  EXPECT_EQ(both(program(""), {Check::deadlock}), "unsafe");
  EXPECT_EQ(both(program(""), errors), "safe");
}

// A writer waits in the middle of its atomic section, but only if it has to.
TEST(BmcPrograms, ReadWriteLocks) {
  const auto program = [](const std::string& lock) {
    return "typedef union { char size[56]; long align; } pthread_rwlock_t; pthread_rwlock_t l; int "
           "x;"
           "int pthread_rwlock_rdlock(pthread_rwlock_t *); int "
           "pthread_rwlock_wrlock(pthread_rwlock_t *);"
           "int pthread_rwlock_unlock(pthread_rwlock_t *);"
           "void *first(void *p) { pthread_rwlock_" +
           lock +
           "(&l); x++; pthread_rwlock_unlock(&l);"
           "return 0; } void *second(void *p) { pthread_rwlock_" +
           lock +
           "(&l); x++;"
           "pthread_rwlock_unlock(&l); return 0; }" +
           two_threads("if (x != 2) reach_error();");
  };
  EXPECT_EQ(both(program("wrlock"), errors), "safe");
  EXPECT_EQ(both(program("rdlock"), errors), "unsafe");
}

TEST(BmcPrograms, FloatingPointOnConstantsOnly) {
  EXPECT_EQ(
      both("double d = 0.5; int main(void) { if (d + 0.25 != 0.75) reach_error(); return 0; }",
           errors),
      "safe");
  const std::string open =
      "int main(void) {\n  float f = __VERIFIER_nondet_int();\n  if (f > 1.5f) reach_error();\n"
      "  return 0;\n}";
  const Unrolled found = unrolled(open, errors);
  ASSERT_EQ(found.answer(), "unknown");
  EXPECT_EQ(found.gap().gap, verdict::Gap::unsupported);
  EXPECT_EQ(found.gap().source.line, line_of(open, "float f"));
  // What nothing computes with is copied.
  EXPECT_EQ(both("float f, g; void *first(void *p) { f = 1.5f; return 0; }"
                 "void *second(void *p) { g = f; return 0; }" +
                     two_threads(""),
                 errors),
            "safe");
}

TEST(BmcPrograms, BitFields) {
  const auto program = [](const std::string& wrong) {
    return "struct { unsigned a : 3, b : 5; } s; pthread_mutex_t m;"
           "void *first(void *p) { pthread_mutex_lock(&m); s.a = 9; pthread_mutex_unlock(&m);"
           "return 0; } void *second(void *p) { pthread_mutex_lock(&m); s.b = 31;"
           "pthread_mutex_unlock(&m); return 0; }" +
           two_threads("if (" + wrong + ") reach_error();");
  };
  EXPECT_EQ(both(program("s.a != 1 || s.b != 31"), everything), "safe");
  EXPECT_EQ(both(program("s.a == 1 && s.b == 31"), errors), "unsafe");
}

}  // namespace
}  // namespace heddle::testing
