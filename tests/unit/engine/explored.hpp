// Explores a small program, given as C.
#pragma once

#include <string>
#include <variant>

#include "engine/explore/explore.hpp"
#include "frontend/frontend.hpp"
#include "portfolio/portfolio.hpp"

namespace heddle::testing {

struct Silent : engine::Listener {
  void progress(const verdict::Progress&) override {}
};

// Declarations that the test programs share, so that no system header is needed.
inline const std::string prelude = R"(
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef union { char size[48]; long long align; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void reach_error(void) {}
)";

struct Explored {
  ir::Program program{};
  verdict::Verdict verdict{};
  engine::explore::Statistics statistics{};

  bool safe() const { return std::holds_alternative<verdict::Safe>(verdict); }
  bool unsafe() const { return std::holds_alternative<verdict::Unsafe>(verdict); }
  bool unknown() const { return std::holds_alternative<verdict::Unknown>(verdict); }
  std::string answer() const {
    if (safe()) return "safe";
    return unsafe() ? "unsafe" : "unknown";
  }
};

inline Explored explored(const std::string& text, const std::set<verdict::Check>& checks,
                         engine::explore::Options options = {},
                         base::Budget budget = base::Budget(std::chrono::seconds(60), 4ULL << 30)) {
  const verdict::Property property{checks};
  Explored result;
  result.program = portfolio::prepare(frontend::parse_text("test.c", prelude + text), property);
  engine::explore::Explore explore(options);
  Silent silent;
  result.verdict = explore.run(result.program, property, budget, silent);
  result.statistics = explore.statistics();
  return result;
}

}  // namespace heddle::testing
