// C text to verdicts by memory unwinding, for the tests of its parts.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "engine/bmc/bmc.hpp"
#include "portfolio/sequentialized.hpp"
#include "sequentialize/mu.hpp"
#include "unit/engine/explored.hpp"

namespace heddle::testing {

using sequentialize::MuOptions;
using sequentialize::MuVariant;
using sequentialize::Switch;
using verdict::Check;

inline constexpr std::array variants{MuVariant::explicit_reads, MuVariant::implicit_reads,
                                     MuVariant::mixed_reads, MuVariant::intra_thread,
                                     MuVariant::inter_thread};

inline constexpr std::array fine_variants{MuVariant::explicit_reads, MuVariant::implicit_reads,
                                          MuVariant::mixed_reads};

inline ir::Program program_of(const std::string& text) {
  return portfolio::prepare(frontend::parse_text("test.c", prelude + text), {{Check::error_call}});
}

struct Checked {
  verdict::Verdict verdict{};
  std::uint32_t unreplayed = 0;
  std::uint64_t sharing = 0;
};

inline Checked check(const std::string& text, MuOptions options,
                     std::vector<std::uint32_t> bounds) {
  Silent silent;
  engine::bmc::Options limits;
  limits.bounds = std::move(bounds);
  portfolio::Mu mu(options, limits);
  Checked result;
  result.verdict = mu.run(program_of(text), {{Check::error_call}},
                          base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
  result.unreplayed = mu.statistics().unreplayed;
  result.sharing = mu.statistics().sharing;
  return result;
}

// One sequential program.
inline verdict::Verdict check_once(const ir::Program& program, const MuOptions& options) {
  Silent silent;
  const sequentialize::Facts facts(program);
  engine::bmc::Options limits;
  limits.bounds = {6};
  engine::bmc::Bmc bmc(limits);
  return bmc.run(sequentialize::sequentialize_by_unwinding(program, facts, options).program,
                 {{Check::error_call}}, base::Budget(std::chrono::seconds(60), 4ULL << 30), silent);
}

inline void expect_found(const std::string& text, std::vector<std::uint32_t> bounds = {1, 2, 3}) {
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, bounds);
    EXPECT_TRUE(std::holds_alternative<verdict::Unsafe>(found.verdict))
        << "variant " << static_cast<int>(variant);
    EXPECT_EQ(found.unreplayed, 0U) << "variant " << static_cast<int>(variant);
  }
}

inline void expect_not_found(const std::string& text) {
  for (const MuVariant variant : variants) {
    MuOptions options;
    options.variant = variant;
    const Checked found = check(text, options, {1, 2});
    EXPECT_FALSE(std::holds_alternative<verdict::Unsafe>(found.verdict))
        << "variant " << static_cast<int>(variant);
    EXPECT_EQ(found.unreplayed, 0U) << "variant " << static_cast<int>(variant);
  }
}

// Two threads that both add one to x.
inline std::string two_updates(const std::string& before, const std::string& after) {
  return R"(
int x;
pthread_mutex_t m;
void *worker(void *p) {
  )" + before +
         R"(
  int v = x;
  x = v + 1;
  )" + after +
         R"(
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, worker, 0);
  pthread_create(&b, 0, worker, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
})";
}

inline const std::string lost_update = two_updates("", "");
inline const std::string locked_update =
    two_updates("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);");

}  // namespace heddle::testing
