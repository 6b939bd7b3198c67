// Classic programs of the literature on partial-order reduction, each a family over
// one number, with how many executions there are that differ in more than the order
// of independent steps.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::bench {

struct Family {
  std::string name{};
  std::string text{};  // uses N
  struct Size {
    std::uint32_t number = 0;
    std::uint64_t traces = 0;
  };
  std::vector<Size> sizes{};

  std::string program(std::uint32_t number) const {
    return fmt::format("enum {{ N = {} }};\n", number) + R"(
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
)" + text;
  }
};

inline std::vector<Family> families() {
  return {
      {"readers",
       R"(
int x, r[N];
void *writer(void *p) { x = 1; return 0; }
void *reader(void *p) { r[(long)p] = x; return 0; }
int main(void) {
  pthread_t w, t[N];
  pthread_create(&w, 0, writer, 0);
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, reader, (void *)i);
  pthread_join(w, 0);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
)",
       {{2, 4}, {4, 16}, {8, 256}, {10, 1024}, {12, 4096}}},
      {"last-zero",
       R"(
int a[N + 1];
void *reader(void *p) { int i = N; while (a[i] != 0) i--; return 0; }
void *writer(void *p) { long j = (long)p; a[j] = a[j - 1] + 1; return 0; }
int main(void) {
  pthread_t r, t[N + 1];
  pthread_create(&r, 0, reader, 0);
  for (long j = 1; j <= N; j++) pthread_create(&t[j], 0, writer, (void *)j);
  pthread_join(r, 0);
  for (int j = 1; j <= N; j++) pthread_join(t[j], 0);
  return 0;
}
)",
       {{6, 144}, {8, 704}, {10, 3328}}},
      {"fib",
       R"(
int i = 1, j = 1;
void *first(void *p) { for (int k = 0; k < N; k++) i = i + j; return 0; }
void *second(void *p) { for (int k = 0; k < N; k++) j = j + i; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
)",
       {{4, 1107}, {5, 8953}, {6, 73789}}},
      {"indexer",
       R"(
int table[128];
pthread_mutex_t slot[128];
void *worker(void *p) {
  int id = (int)(long)p;
  for (int k = 0; k < 4;) {
    int word = ++k * 11 + id, h = word * 7 % 128;
    for (;;) {
      pthread_mutex_lock(&slot[h]);
      int is_free = table[h] == 0;
      if (is_free) table[h] = word;
      pthread_mutex_unlock(&slot[h]);
      if (is_free) break;
      h = (h + 1) % 128;
    }
  }
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
)",
       {{11, 1}, {12, 8}, {13, 64}}},
      {"philosophers",
       R"(
pthread_mutex_t fork_[N];
void *philosopher(void *p) {
  long i = (long)p, one = i, other = i + 1;
  if (i == N - 1) { one = 0; other = i; }
  pthread_mutex_lock(&fork_[one]);
  pthread_mutex_lock(&fork_[other]);
  pthread_mutex_unlock(&fork_[other]);
  pthread_mutex_unlock(&fork_[one]);
  return 0;
}
int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], 0, philosopher, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return 0;
}
)",
       {{3, 6}, {4, 14}, {5, 30}}},
  };
}

}  // namespace heddle::bench
