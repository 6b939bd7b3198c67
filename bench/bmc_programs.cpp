#include "bench/bmc_programs.hpp"

#include <fmt/format.h>

namespace heddle::bench {
namespace {

constexpr const char* prelude = R"(
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void reach_error(void) {}
)";

std::uint64_t fibonacci_number(std::uint32_t index) {
  std::uint64_t previous = 0, current = 1;
  for (; index > 1; --index) {
    const std::uint64_t next = previous + current;
    previous = current;
    current = next;
  }
  return current;
}

}  // namespace

std::string fibonacci(std::uint32_t rounds, Expected expected) {
  return fmt::format(R"({0}
int i = 1, j = 1;
void *first(void *p) {{ for (int k = 0; k < {1}; k++) i += j; return 0; }}
void *second(void *p) {{ for (int k = 0; k < {1}; k++) j += i; return 0; }}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (i {2} {3} || j {2} {3}) reach_error();
  return 0;
}}
)",
                     prelude, rounds,
                     expected == Expected::safe ? ">" : ">=", fibonacci_number(2 * rounds + 2));
}

std::string counter(std::uint32_t threads, Expected expected) {
  const bool locked = expected == Expected::safe;
  return fmt::format(R"({0}
pthread_mutex_t m;
int counter;
void *increment(void *p) {{ {2} counter++; {3} return 0; }}
int main(void) {{
  pthread_t t[{1}];
  for (int k = 0; k < {1}; k++) pthread_create(&t[k], 0, increment, 0);
  for (int k = 0; k < {1}; k++) pthread_join(t[k], 0);
  if (counter != {1}) reach_error();
  return 0;
}}
)",
                     prelude, threads, locked ? "pthread_mutex_lock(&m);" : "",
                     locked ? "pthread_mutex_unlock(&m);" : "");
}

}  // namespace heddle::bench
